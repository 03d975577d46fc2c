import type { Failure } from '../errors.ts';
import type { Container, LastWords, State } from '../model.ts';
import { meaningOf } from './crash.ts';

/** The run of a container that has crashed and is not followed by another one yet, by its container ID. */
export function crashedRun({ phase, last, containerId }: Container): string | undefined {
  if (phase.kind === 'terminated') return phase.exitCode === 0 ? undefined : containerId;
  if (phase.kind !== 'waiting' || !last || last.exitCode === 0) return undefined;
  return last.containerId ?? containerId;
}

/** What is known of the last words of the run that has crashed. */
export function lastWordsOf({ lastWords }: Pick<State, 'lastWords'>, container: Container): LastWords | undefined {
  const words = lastWords.get(container.slot);
  return words?.run === crashedRun(container) ? words : undefined;
}

/** A line in a clause, with what it means. */
export function lineText(line: string): string {
  const known = meaningOf(line);
  return `its last line is "${line}"${known ? `: ${known.means}` : ''}`;
}

/** What to do about a line. */
export const lineFix = (line: string): string => meaningOf(line)?.fix ?? 'Mend what the last line says.';

/** Why there is no line, in a clause. */
export const unreadText = ({ message }: Failure): string => `its log cannot be read: ${message}`;
