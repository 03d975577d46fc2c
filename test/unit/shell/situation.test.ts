import assert from 'node:assert/strict';
import test from 'node:test';
import type { Failure } from '../../../src/core/errors.ts';
import type { SourceState } from '../../../src/core/model.ts';
import type { Situation } from '../../../src/shell/ids.ts';
import {
  failureNow,
  scopeText,
  type ScopeState,
  situationOf,
  troubleText,
  watchStates,
} from '../../../src/shell/situation.ts';
import { t } from './rows.ts';

const failure = (code: string): Failure => ({ code, message: `It is ${code}.`, actions: [] });
const scope: ScopeState = { kind: 'watching', context: 'dev', namespaces: ['shop', 'back'] };
const retrying = (code: string): SourceState => ({ kind: 'retrying', failure: failure(code), retryMs: 3_600 });
const stopped = (code: string): SourceState => ({ kind: 'stopped', failure: failure(code) });
const watching: SourceState = { kind: 'watching' };

const cases: { name: string; scope: ScopeState; sources: SourceState[]; want: Situation | undefined }[] = [
  { name: 'nobody looked', scope: { kind: 'idle' }, sources: [], want: undefined },
  { name: 'kubeconfig is read', scope: { kind: 'loading' }, sources: [], want: 'connecting' },
  {
    name: 'no kubeconfig',
    scope: { kind: 'failed', failure: failure('no-kubeconfig') },
    sources: [],
    want: 'no-kubeconfig',
  },
  {
    name: 'an unusable context',
    scope: { kind: 'failed', failure: failure('context-broken') },
    sources: [],
    want: 'failed',
  },
  { name: 'first connection', scope, sources: [{ kind: 'connecting' }], want: 'connecting' },
  { name: 'one of two connects', scope, sources: [watching, { kind: 'connecting' }], want: 'connecting' },
  { name: 'everything is watched', scope, sources: [watching, watching], want: 'nothing' },
  { name: 'unreachable', scope, sources: [retrying('server-unreachable')], want: 'unreachable' },
  { name: 'login refused', scope, sources: [retrying('login-refused')], want: 'no-login' },
  { name: 'no rights', scope, sources: [watching, stopped('pods-forbidden')], want: 'no-rights' },
  {
    name: 'what stopped goes before what tries',
    scope,
    sources: [retrying('login-refused'), stopped('pods-forbidden')],
    want: 'no-rights',
  },
  { name: 'anything else', scope, sources: [retrying('server-error')], want: 'failed' },
];

for (const { name, scope: state, sources, want } of cases)
  test(`situationOf: ${name}`, () => assert.equal(situationOf(state, sources), want));

test('troubleText: names the context and the wait', () => {
  assert.equal(
    troubleText(scope, [watching, retrying('server-error')], t),
    'Lost the connection to dev; next try in 4 s.',
  );
  assert.equal(troubleText(scope, [watching], t), undefined);
  assert.equal(troubleText(scope, [stopped('pods-forbidden')], t), 'It is pods-forbidden.');
});

test('scopeText: context and namespaces', () => {
  assert.equal(scopeText(scope, t), 'dev · shop, back');
  assert.equal(scopeText({ ...scope, namespaces: 'all' }, t), 'dev · all namespaces');
  assert.equal(scopeText({ kind: 'idle' }, t), '');
});

test('a Skaffold that has ended or is lost is no failure of the watch', () => {
  const sources = new Map<string, SourceState>([
    ['pods/shop of dev', watching],
    ['skaffold:50051', stopped('skaffold-absent')],
    ['skaffold:50052', retrying('skaffold-lost')],
  ]);
  assert.deepEqual(watchStates({ sources }), [watching]);
  assert.equal(failureNow(scope, watchStates({ sources })), undefined);
  assert.equal(situationOf(scope, watchStates({ sources })), 'nothing');
});
