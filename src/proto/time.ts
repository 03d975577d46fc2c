/** Seconds since 1970 and nanoseconds, as a text of fixed length in UTC. */
export function timeText(seconds: number, nanos: number): string {
  const whole = new Date(Math.min(Math.max(seconds, 0), LAST) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(Math.min(Math.max(nanos, 0), 999_999_999)).padStart(9, '0')}Z`;
}

/** The last second that has a year of four digits. */
const LAST = 253_402_300_799;

/** Brings a time of Skaffold's (RFC 3339, UTC, up to nine digits of a second) to fixed length; undefined if it is none. */
export function fixedTime(text: string): string | undefined {
  const [, whole, digits = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text) ?? [];
  return whole === undefined ? undefined : `${whole}.${digits.padEnd(9, '0')}Z`;
}
