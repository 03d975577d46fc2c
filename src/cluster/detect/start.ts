import { listOf } from '../pods/lists.ts';
import type { Pod, PodContainer } from '../pods/pod.ts';
import { commandsOf } from './commands.ts';
import { textOf, variablesOf, wordsOf } from './expand.ts';
import type { Start } from './finding.ts';

/** How a container of a pod is started. Without `command` the image's entrypoint runs, which a pod does not show. */
export function startOf(spec: PodContainer, pod: Pod): Start {
  const variables = variablesOf(spec);
  const command = wordsOf(spec.command, variables);
  const args = wordsOf(spec.args, variables);
  return {
    commands: commandsOf([...command, ...args], variables, command.length > 0),
    variables,
    image: typeof spec.image === 'string' ? spec.image : '',
    mounts: listOf(spec.volumeMounts).flatMap(({ mountPath }) => (typeof mountPath === 'string' ? [mountPath] : [])),
    inits: listOf(pod.spec?.initContainers).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    stdin: spec.stdin === true,
  };
}

/** Names the place in the specification where a text stands: `command`, `args` or a variable. */
export function placeOf(text: string, spec: PodContainer): string {
  const has = (words: PodContainer['args']) => listOf(words).map(textOf).join(' ').includes(text);
  if (has(spec.command)) return 'command';
  if (has(spec.args)) return 'args';
  const variable = listOf(spec.env).find(({ value }) => textOf(value).includes(text));
  return variable?.name ?? (listOf(spec.command).length > 0 ? 'command' : 'args');
}
