import { type Finding, listening } from './finding.ts';
import { listenOf, optionOf } from './options.ts';

const OPTION = /^-(?:agentlib:jdwp=?|Xrunjdwp:?|agentpath:[^=]*libjdwp\.so=?)/;

/** Whether a word loads the JDWP agent into a JVM. */
export const isJdwp = (word: string): boolean => OPTION.test(word);

/** What a JVM does with its JDWP options; texts and rules of the agent (OpenJDK `libjdwp/debugInit.c`). */
export function jdwpFinding(options: readonly string[], evidence: Finding['evidence'] = 'flags'): Finding {
  const [text = ''] = options;
  const found = { runtime: 'jvm', evidence, text, protocol: 'jdwp' } as const;
  const crash = (reason: string): Finding => ({ ...found, verdict: 'crash', reason });
  if (options.length > 1) return crash('The JDWP agent is given twice: the JVM refuses to start.');
  const fields = new Map(
    text
      .replace(OPTION, '')
      .split(',')
      .map(field => optionOf(field.trim()))
      .map(({ name, value }) => [name, value ?? '']),
  );
  const transport = fields.get('transport');
  if (!transport) return crash('The JDWP agent has no transport=dt_socket: the JVM refuses to start.');
  if (transport !== 'dt_socket') return crash(`transport=${transport} is not there in a container: use dt_socket.`);
  const wrong = ['server', 'suspend'].find(name => !['y', 'n', undefined].includes(fields.get(name)));
  if (wrong) return crash(`${wrong} must be y or n: the JVM refuses to start.`);
  if (fields.get('server') !== 'y')
    return {
      ...found,
      verdict: 'not-debuggable',
      reason:
        'Without server=y the JVM connects to a debugger instead of listening for one, and ends when there is none.',
    };
  const address = fields.get('address');
  const suspended = fields.get('suspend') !== 'n';
  return { ...found, ...listening(address ? listenOf(address) : { kind: 'random' }, suspended, undefined) };
}
