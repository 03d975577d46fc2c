import assert from 'node:assert/strict';
import test from 'node:test';
import type { UserEntry } from '../../../../src/cluster/kubeconfig/entries.ts';
import { impersonationHeaders } from '../../../../src/cluster/login/impersonation.ts';
import { Shared } from '../../../../src/cluster/login/shared.ts';

const user: UserEntry = { name: 'u', asGroups: [], asUserExtra: {} };

const headers: { name: string; user: Partial<UserEntry>; headers: Record<string, unknown> }[] = [
  { name: 'nothing', user: {}, headers: {} },
  { name: 'uid', user: { asUid: '7' }, headers: { 'Impersonate-Uid': '7' } },
  { name: 'groups', user: { asGroups: ['a', 'b,c'] }, headers: { 'Impersonate-Group': ['a', 'b,c'] } },
  {
    name: 'extra',
    user: { asUserExtra: { 'acme.com/x é': ['1', '2'], none: [] } },
    headers: { 'Impersonate-Extra-acme.com%2Fx%20%C3%A9': ['1', '2'] },
  },
];

for (const { name, user: some, headers: expected } of headers)
  test(`impersonationHeaders: ${name}`, () => assert.deepEqual(impersonationHeaders({ ...user, ...some }), expected));

test('Shared: work starts anew after it has ended, also by an error', async () => {
  let runs = 0;
  const shared = new Shared(async () => {
    if (++runs === 1) throw new Error('first');
    return runs;
  });
  await assert.rejects(shared.get(), /first/);
  assert.deepEqual(await Promise.all([shared.get(), shared.get()]), [2, 2]);
  assert.equal(await shared.get(), 3);
});

test('Shared: one who leaves does not end the work of the others; the last one does', async () => {
  const signals: AbortSignal[] = [];
  const end = Promise.withResolvers<string>();
  const shared = new Shared(signal => {
    signals.push(signal);
    return end.promise;
  });
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [shared.get(one.signal), shared.get(two.signal)];
  one.abort(new Error('left'));
  await assert.rejects(first, /left/);
  assert.equal(signals[0]!.aborted, false);
  two.abort(new Error('left too'));
  await assert.rejects(second, /left too/);
  assert.equal(signals[0]!.aborted, true);
  const third = shared.get();
  end.resolve('done');
  assert.equal(await third, 'done');
  assert.equal(signals.length, 2, 'new work for who comes after that');
  await assert.rejects(shared.get(AbortSignal.abort(new Error('never'))), /never/);
});
