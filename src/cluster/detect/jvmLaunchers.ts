import type { Command } from './commands.ts';
import type { Variables } from './expand.ts';
import { type Finding, listening, type Start } from './finding.ts';
import { isJdwp, jdwpFinding } from './jdwp.ts';
import { listenOf, splitOptions } from './options.ts';
import { nameOf } from './programs.ts';

/** Start scripts that have a debug option of their own, or hand options to a JVM inside another option. */
export function launcherFinding(command: Command, image: string): Finding | undefined {
  const name = nameOf(command.program);
  const keycloak = command.program === '' && /\bkeycloak\b/.test(image) && (command.words[0] ?? '').startsWith('start');
  if (name === 'kc.sh' || name === 'standalone.sh' || keycloak) return debugOption(command);
  if (name === 'catalina.sh' || command.program === '')
    return command.words[0] === 'jpda' ? tomcat(command.variables, 'jpda') : undefined;
  return /^(?:mvnw?|gradlew?)$/.test(name) ? buildTool(command.words) : undefined;
}

/** `--debug [[host:]port]`, or `DEBUG=true` (Keycloak `kc.sh`, WildFly `standalone.sh`). */
function debugOption({ words, variables }: Command): Finding | undefined {
  const at = words.findIndex(word => word === '--debug' || word.startsWith('--debug='));
  if (at < 0 && variables.get('DEBUG') !== 'true') return undefined;
  const next = words[at]?.slice('--debug='.length) || words[at + 1];
  const given = at >= 0 && next !== undefined && /^(?:\S*:)?\d+$/.test(next) ? next : undefined;
  return {
    ...jdwp('flags', at < 0 ? 'DEBUG=true' : given ? `--debug ${given}` : '--debug'),
    where: at < 0 ? 'env' : undefined,
    ...listening(
      listenOf(given ?? variables.get('DEBUG_PORT') ?? '8787'),
      variables.get('DEBUG_SUSPEND') === 'y',
      undefined,
    ),
  };
}

/** `catalina.sh jpda`: `JPDA_OPTS` wins over the single variables (Tomcat `bin/catalina.sh`). */
function tomcat(variables: Variables, text: string): Finding {
  const options = splitOptions(variables.get('JPDA_OPTS') ?? '').filter(isJdwp);
  if (options.length > 0) return jdwpFinding(options);
  const address = variables.get('JPDA_ADDRESS');
  return {
    ...jdwp('flags', address ? `${text}, JPDA_ADDRESS=${address}` : text),
    ...listening(listenOf(address || 'localhost:8000'), variables.get('JPDA_SUSPEND') === 'y', undefined),
  };
}

/** Maven and Gradle: options inside a `-D` value, and Gradle's `--debug-jvm` (port 5005, waits). */
function buildTool(words: readonly string[]): Finding | undefined {
  if (words.includes('--debug-jvm')) return { ...jdwp('flags', '--debug-jvm'), verdict: 'suspended', port: 5005 };
  const options = words.flatMap(word => word.match(/-(?:agentlib:jdwp=|Xrunjdwp:)[^\s"']+/g) ?? []);
  return options.length > 0 ? jdwpFinding(options) : undefined;
}

interface Switch {
  readonly variable: string;
  readonly on: RegExp;
  readonly port: string;
  readonly usual: number;
  readonly suspend: string;
}

const TRUE = /^(?:true|yes|y|on|1)$/i;
/** Variables with which well-known images switch the debugger on. */
const SWITCHES: readonly Switch[] = [
  { variable: 'BPL_DEBUG_ENABLED', on: TRUE, port: 'BPL_DEBUG_PORT', usual: 8000, suspend: 'BPL_DEBUG_SUSPEND' },
  { variable: 'KAFKA_DEBUG', on: /./, port: 'JAVA_DEBUG_PORT', usual: 5005, suspend: 'DEBUG_SUSPEND_FLAG' },
  { variable: 'JAVA_DEBUG', on: TRUE, port: 'JAVA_DEBUG_PORT', usual: 5005, suspend: 'JAVA_DEBUG_SUSPEND' },
  { variable: 'JAVA_DEBUG_ENABLE', on: TRUE, port: 'JAVA_DEBUG_PORT', usual: 5005, suspend: 'JAVA_DEBUG_SUSPEND' },
  { variable: 'JAVA_ENABLE_DEBUG', on: TRUE, port: 'JAVA_DEBUG_PORT', usual: 5005, suspend: 'JAVA_DEBUG_SUSPEND' },
];

/** Debugging switched on by variables of the image's own start script (buildpacks, Strimzi, OpenJDK and Tomcat images). */
export function imageSwitches({ commands, variables }: Start): Finding[] {
  if (commands.some(({ runtime }) => runtime !== undefined && runtime !== 'jvm')) return [];
  const on = SWITCHES.filter(({ variable, on }) => on.test(variables.get(variable) ?? ''));
  const found = on.map(({ variable, port, usual, suspend }) => ({
    ...jdwp('image-variables', `${variable}=${variables.get(variable)}`),
    where: 'env',
    ...listening(listenOf(variables.get(port) || String(usual)), TRUE.test(variables.get(suspend) ?? ''), undefined),
  }));
  const unseen = commands.every(({ program }) => program === '');
  if (!unseen || !variables.get('JPDA_ADDRESS')) return found;
  const reason = 'It counts only if the image starts Tomcat with "catalina.sh jpda run", which the pod does not show.';
  const address = tomcat(variables, 'JPDA_ADDRESS');
  return [...found, { ...address, evidence: 'image-variables', where: 'env', reason: address.reason ?? reason }];
}

const jdwp = (evidence: Finding['evidence'], text: string) =>
  ({ runtime: 'jvm', protocol: 'jdwp', evidence, text }) as const;
