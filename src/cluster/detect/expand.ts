import { listOf } from '../pods/lists.ts';
import type { PodContainer } from '../pods/pod.ts';

/** Variables of a container by name. A value that the pod does not show (ConfigMap, Secret) stands as `$(NAME)`. */
export type Variables = ReadonlyMap<string, string>;

/**
 * What is read of one text, and of one command line. Nothing that people write comes near it; beyond it are pods that
 * want to keep their readers busy: variables that double those before them, endless scripts.
 */
export const LONGEST_TEXT = 32_768;
export const MOST_WORDS = 1_000;

/**
 * Replaces `$(NAME)` as the kubelet does: `$$` is an escaped `$`, an unknown name stays as it is (Kubernetes
 * `third_party/forked/golang/expansion`). So does one that would make the text too long.
 */
export function expand(text: string, variables: Variables): string {
  let left = LONGEST_TEXT;
  return text.replace(/\$\$|\$\(([^)]{0,256})\)/g, (found, name: string | undefined) => {
    if (name === undefined) return '$';
    const value = variables.get(name) ?? found;
    left -= value.length;
    return left < 0 ? found : value;
  });
}

/** A container's variables; each sees those before it. One that grows too long counts as not shown. */
export function variablesOf(spec: PodContainer): Variables {
  const variables = new Map<string, string>();
  for (const { name, value, valueFrom } of listOf(spec.env)) {
    if (typeof name !== 'string') continue;
    const text = expand(textOf(value), variables);
    variables.set(name, valueFrom || text.length > LONGEST_TEXT ? `$(${name})` : text);
  }
  return variables;
}

/** The words that a container starts with, as far as the pod shows them: `command` and `args`, expanded. */
export const wordsOf = (words: readonly string[] | null | undefined, variables: Variables): string[] =>
  listOf(words)
    .slice(0, MOST_WORDS)
    .map(word => expand(textOf(word).slice(0, LONGEST_TEXT), variables));

/** Whether a word's value cannot be known from the pod. */
export const isUnknown = (word: string): boolean => word.startsWith('$');

/** A text that a person may have written as a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
