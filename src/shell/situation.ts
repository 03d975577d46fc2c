import type { Failure } from '../core/errors.ts';
import type { SourceState, State } from '../core/model.ts';
import type { Situation } from './ids.ts';
import { labelText, type Translate } from './plain.ts';

/** Where the choice of a cluster stands: being read from the kubeconfig, chosen, or impossible. */
export type ScopeState = Readonly<
  | { kind: 'idle' }
  | { kind: 'loading' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'watching'; context: string; namespaces: readonly string[] | 'all' }
>;

/** Which welcome text goes with each failure; all others are `failed`. */
const ofCode: Readonly<Record<string, Situation>> = {
  'no-kubeconfig': 'no-kubeconfig',
  'kubeconfig-missing': 'no-kubeconfig',
  'no-context': 'no-kubeconfig',
  'server-unreachable': 'unreachable',
  'server-silent': 'unreachable',
  'api-unreachable': 'unreachable',
  'proxy-refused': 'unreachable',
  'login-refused': 'no-login',
  'login-outdated': 'no-login',
  'login-unreadable': 'no-login',
  'plugin-missing': 'no-login',
  'plugin-interactive': 'no-login',
  'plugin-failed': 'no-login',
  'pods-forbidden': 'no-rights',
};

/** How the watches of pods are doing; a Skaffold that ends or is lost has a row of its own. */
export const watchStates = ({ sources }: Pick<State, 'sources'>): readonly SourceState[] =>
  [...sources].filter(([source]) => !source.startsWith('skaffold')).map(([, state]) => state);

/** Why there are no rows, or `undefined` before anybody looked. */
export function situationOf(scope: ScopeState, sources: Iterable<SourceState>): Situation | undefined {
  if (scope.kind === 'idle') return undefined;
  const failure = failureNow(scope, sources);
  if (failure) return ofCode[failure.code] ?? 'failed';
  const states = [...sources];
  return states.length > 0 && states.every(({ kind }) => kind === 'watching') ? 'nothing' : 'connecting';
}

/** The failure that keeps rows away or out of date; of a source that has given up before one that tries again. */
export function failureNow(scope: ScopeState, sources: Iterable<SourceState>): Failure | undefined {
  if (scope.kind === 'failed') return scope.failure;
  const failed = [...sources].filter(state => state.kind === 'stopped' || state.kind === 'retrying');
  return (failed.find(({ kind }) => kind === 'stopped') ?? failed[0])?.failure;
}

/** The line above the rows while a source has trouble. */
export function troubleText(scope: ScopeState, sources: Iterable<SourceState>, t: Translate): string | undefined {
  if (scope.kind === 'failed') return labelText(scope.failure.message);
  if (scope.kind !== 'watching') return undefined;
  const states = [...sources];
  const stopped = states.find(state => state.kind === 'stopped');
  if (stopped) return labelText(stopped.failure.message);
  const retrying = states.find(state => state.kind === 'retrying');
  if (!retrying) return undefined;
  const seconds = String(Math.max(1, Math.round(retrying.retryMs / 1000)));
  return t('Lost the connection to {0}; next try in {1} s.', labelText(scope.context, 80), seconds);
}

/** The scope in a few words: context and namespaces. */
export function scopeText(scope: ScopeState, t: Translate): string {
  if (scope.kind !== 'watching') return '';
  const { namespaces } = scope;
  const where = namespaces === 'all' ? t('all namespaces') : labelText(namespaces.join(', '), 60);
  return `${labelText(scope.context, 60)} · ${where}`;
}
