import type { PodContainer } from '../pods/pod.ts';

/** Variables of a container by name. A value that the pod does not show (ConfigMap, Secret) stands as `$(NAME)`. */
export type Variables = ReadonlyMap<string, string>;

/**
 * Replaces `$(NAME)` as the kubelet does: `$$` is an escaped `$`, an unknown name stays as it is (Kubernetes
 * `third_party/forked/golang/expansion`).
 */
export const expand = (text: string, variables: Variables): string =>
  text.replace(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) =>
    name === undefined ? '$' : (variables.get(name) ?? found),
  );

/** A container's variables; each sees those before it. */
export function variablesOf(spec: PodContainer): Variables {
  const variables = new Map<string, string>();
  for (const { name, value, valueFrom } of listOf(spec.env)) {
    if (typeof name !== 'string') continue;
    variables.set(name, valueFrom ? `$(${name})` : expand(textOf(value), variables));
  }
  return variables;
}

/** The words that a container starts with, as far as the pod shows them: `command` and `args`, expanded. */
export const wordsOf = (words: readonly string[] | null | undefined, variables: Variables): string[] =>
  listOf(words).map(word => expand(textOf(word), variables));

/** Whether a word's value cannot be known from the pod. */
export const isUnknown = (word: string): boolean => word.startsWith('$');

/** A list from a file that a person wrote may be anything, and so may its items. */
export function listOf<T>(list: readonly T[] | null | undefined): readonly NonNullable<T>[] {
  return Array.isArray(list) ? (list as readonly T[]).filter(item => item !== null && item !== undefined) : [];
}

/** A text that a person may have written as a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
