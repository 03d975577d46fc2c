import assert from 'node:assert/strict';
import test from 'node:test';
import { folderKey, withChosen } from '../../../src/core/chosenFolders.ts';
import { container } from '../../support/containers.ts';

const known = { image: 'web', context: '/shop/web', builder: 'docker', target: 'dev', from: '/shop/skaffold.yaml' };
const found = { sourcesOf: async () => [known, { ...known, context: '/shop/web2' }] };
const web = container({ detection: { artifact: 'web' } });

for (const { name, context, want } of [
  { name: 'nothing', context: undefined, want: ['/shop/web', '/shop/web2'] },
  { name: 'a folder that is known', context: '/shop/web', want: ['/shop/web chosen dev'] },
  { name: 'another folder', context: '/elsewhere', want: ['/elsewhere chosen'] },
])
  test(`chosen folder: ${name}`, async () => {
    const chosen = { get: (key: string) => (key === folderKey(web) ? context : undefined) };
    const sources = await withChosen(found, chosen).sourcesOf(web);
    assert.deepEqual(
      sources.map(({ context: at, isChosen, target }) =>
        isChosen ? [at, 'chosen', target].filter(Boolean).join(' ') : at,
      ),
      want,
    );
  });

test('chosen folder: for an artifact wherever it runs, else for the container of a workload through its pods', () => {
  const other = container({ namespace: 'back', podUid: 'u2', pod: 'web-2', detection: { artifact: 'web' } });
  assert.equal(folderKey(web), folderKey(other));
  assert.equal(folderKey(container({ podUid: 'a' })), folderKey(container({ podUid: 'b', pod: 'b' })));
  assert.notEqual(folderKey(container()), folderKey(container({ container: 'sidecar' })));
});
