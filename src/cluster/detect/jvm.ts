import type { Command } from './commands.ts';
import type { Variables } from './expand.ts';
import { isUnknown } from './expand.ts';
import { type Find, type Finding, hintsOf, type Start } from './finding.ts';
import { isJdwp, jdwpFinding } from './jdwp.ts';
import { imageSwitches, launcherFinding } from './jvmLaunchers.ts';
import { splitOptions } from './options.ts';
import { nameOf } from './programs.ts';

/** Words without which no rule of this file finds a debugger. */
export const jvmTriggers = [
  'agentlib:jdwp',
  'Xrunjdwp',
  'libjdwp',
  '--debug',
  'jpda',
  'JPDA_ADDRESS',
  'BPL_DEBUG_ENABLED',
  'KAFKA_DEBUG',
  'JAVA_DEBUG',
  'JAVA_ENABLE_DEBUG',
  'kc.sh',
  'standalone.sh',
];

/** Read by each JVM itself (`JDK_JAVA_OPTIONS` by the launcher since JDK 9). */
const OWN_VARIABLES = ['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS'];
const HINTS = ['JAVA_TOOL_OPTIONS', 'JAVA_VERSION', 'JAVA_HOME', 'JAVA_OPTS'];
/** Options whose value is the next word (JDK tool specification `java`). */
const VALUES =
  /^(?:-cp|-classpath|--class-path|-p|--module-path|--upgrade-module-path|--add-modules|--add-(?:exports|opens|reads)|--limit-modules|--patch-module|--source)$/;

/** JVMs: options of the command line and of variables, start scripts, variables of well-known images. */
export const findJvm: Find = start => [
  ...start.commands.flatMap(command => ofCommand(command, start)),
  ...imageSwitches(start),
  ...hintsOf('jvm', start, name => HINTS.includes(name)),
];

function ofCommand(command: Command, start: Start): Finding[] {
  if (command.runtime !== undefined && command.runtime !== 'jvm') return [];
  const fromVariables = OWN_VARIABLES.flatMap(name => jdwpIn(command.variables, name));
  const launched = launcherFinding(command, start.image);
  if (launched) return [launched];
  const name = nameOf(command.program);
  if (name === 'java' || (command.program === '' && command.words[0]?.startsWith('-')))
    return ofJava(command, fromVariables);
  if (fromVariables.length > 0) return [jdwpFinding(fromVariables)];
  return ofOtherVariables(command, command.runtime === 'jvm' ? name : undefined);
}

function ofJava(command: Command, fromVariables: readonly string[]): Finding[] {
  const { options, rest, hasMain } = splitAtMain(command.words);
  const jdwp = [...fromVariables, ...options.filter(isJdwp)];
  if (jdwp.length > 0) {
    const finding = jdwpFinding(jdwp);
    if (hasMain || command.program === '' || finding.verdict === 'crash') return [finding];
    return [
      { ...finding, verdict: 'crash', reason: 'The command has no program after the debug flag: java ends at once.' },
    ];
  }
  const misplaced = rest.find(isJdwp);
  if (misplaced !== undefined)
    return [
      broken(misplaced, 'It stands after the program, so the JVM does not read it: put it before -jar or the class.'),
    ];
  if (command.program === '') return [];
  const unused = otherVariables(command.variables)[0];
  return unused ? [broken(unused.text, `The command does not use ${unused.name}.`)] : [];
}

/** Start scripts pass such variables on; whether an unseen one does cannot be known. */
function ofOtherVariables(command: Command, script: string | undefined): Finding[] {
  return otherVariables(command.variables).map(({ name, text }) => ({
    ...jdwpFinding([text], 'image-variables'),
    ...(script === 'catalina.sh' && /^(?:CATALINA|JAVA)_OPTS$/.test(name)
      ? {}
      : { reason: `Whether the container's start script passes ${name} on to Java cannot be seen in the pod.` }),
  }));
}

const otherVariables = (variables: Variables): { name: string; text: string }[] =>
  [...variables.keys()]
    .filter(name => !OWN_VARIABLES.includes(name) && name !== 'JPDA_OPTS')
    .flatMap(name => jdwpIn(variables, name).map(text => ({ name, text })));

const jdwpIn = (variables: Variables, name: string): string[] => splitOptions(variables.get(name) ?? '').filter(isJdwp);

/** Takes a `java` command line apart at `-jar`, `-m` or the main class. */
function splitAtMain(words: readonly string[]): {
  options: readonly string[];
  rest: readonly string[];
  hasMain: boolean;
} {
  let at = 0;
  let hidden = false;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (isUnknown(word) || word.startsWith('@')) hidden = true;
    else if (/^(?:-jar|-m|--module)$/.test(word) || !word.startsWith('-')) break;
    else if (VALUES.test(word)) at++;
    else if (/^(?:--module=.*|--?version|-showversion)$/.test(word)) hidden = true;
  }
  return { options: words.slice(0, at), rest: words.slice(at), hasMain: hidden || at < words.length };
}

const broken = (text: string, reason: string): Finding => ({
  runtime: 'jvm',
  verdict: 'not-debuggable',
  evidence: 'flags',
  text,
  reason,
});
