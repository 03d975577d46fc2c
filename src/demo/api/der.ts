/** One encoded ASN.1 value (X.690, distinguished encoding rules). */
export type Der = Buffer;

const value = (tag: number, ...parts: readonly Buffer[]): Der => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...parts: readonly Der[]): Der => value(0x30, ...parts);
export const set = (...parts: readonly Der[]): Der => value(0x31, ...parts);
export const text = (content: string): Der => value(0x0c, Buffer.from(content));
export const octets = (content: Buffer): Der => value(0x04, content);
/** `unused` is the number of bits at the end that do not count. */
export const bits = (content: Buffer, unused = 0): Der => value(0x03, Buffer.from([unused]), content);
export const yes: Der = value(0x01, Buffer.from([0xff]));
/** A wrapper with a number of its own: `[number] EXPLICIT`. */
export const tagged = (number: number, content: Der): Der => value(0xa0 + number, content);
/** A plain value whose type is told by the number alone: `[number] IMPLICIT`. */
export const plainTagged = (number: number, content: Buffer): Der => value(0x80 + number, content);

/** A non-negative integer, given as its bytes. */
export const integer = (...bytes: readonly number[]): Der =>
  value(0x02, Buffer.from(bytes[0]! & 0x80 ? [0, ...bytes] : bytes));

/** An object identifier in dotted form. */
export function objectId(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime, good until 2049. */
export const time = (at: Date): Der =>
  value(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
