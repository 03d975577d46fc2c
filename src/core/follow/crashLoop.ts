import type { Container } from '../model.ts';

/** A run so short that the next one is not worth a debugger; a crash loop shall not become a storm of attaches. */
const SHORT_MS = 10_000;

/** Whether a container ends again and again right after its start. */
export function isLooping({ restarts, last }: Pick<Container, 'restarts' | 'last'>): boolean {
  if (restarts < 2 || !last?.startedAt || !last.finishedAt) return false;
  return Date.parse(last.finishedAt) - Date.parse(last.startedAt) < SHORT_MS;
}
