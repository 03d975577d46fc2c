import assert from 'node:assert/strict';
import test from 'node:test';
import type { Forward, Forwards, Ready, Recipe, SourcePaths } from '../../../src/core/contracts.ts';
import { UserError } from '../../../src/core/errors.ts';
import { reach } from '../../../src/core/explain/reach.ts';
import type { Detection } from '../../../src/core/model.ts';
import { container } from '../../support/containers.ts';

const refused = new UserError('not-listening', 'Nobody listens.', { cause: 'ECONNREFUSED', remedy: 'Wait.' });
const forbidden = new UserError('forward-forbidden', 'It is not allowed.', { remedy: 'Ask for the right.' });

interface Given {
  detection?: Partial<Detection>;
  open?: Forwards['open'];
  ready?: () => Promise<Ready>;
  paths?: SourcePaths;
}

/** What is found, how often the listener was asked, and whether the forward is closed. */
async function reached({ detection = {}, open, ready = async () => ({ target: 'node[1]' }), paths }: Given) {
  let asked = 0;
  let opened = 0;
  const forward = { localPort: 9229, dispose: () => opened-- } as unknown as Forward;
  const opening: Forwards['open'] = async () => {
    opened++;
    return forward;
  };
  const recipe = {
    ready: () => {
      asked++;
      return ready();
    },
  } as unknown as Recipe;
  const parts = {
    forwards: { open: open ?? opening },
    recipes: { recipeFor: () => recipe },
    ...(paths ? { paths } : {}),
  };
  const found = await reach(parts, container({ detection }), AbortSignal.timeout(60_000));
  return { found, asked, open: opened };
}

test('reach: a listener that serves many is asked, and the forward is closed again', async () => {
  for (const detection of [{ runtime: 'nodejs' }, { runtime: 'deno' }, { runtime: 'go', takesMany: true }]) {
    const { found, asked, open } = await reached({ detection });
    assert.deepEqual([found.forward?.ok, found.listener?.ok, found.listener?.detail], [true, true, 'node[1]']);
    assert.deepEqual([asked, open], [1, 0]);
  }
});

test('reach: a listener that one client uses up is not asked', async () => {
  for (const runtime of ['jvm', 'python', 'go', 'ruby', 'native', 'bun']) {
    const { found, asked, open } = await reached({ detection: { runtime } });
    assert.deepEqual([found.forward?.ok, found.listener?.ok, asked, open], [true, 'unknown', 0, 0]);
  }
});

test('reach: what fails is said with its cause', async () => {
  const listener = await reached({ ready: () => Promise.reject(refused) });
  assert.deepEqual(listener.found.listener, { ok: false, detail: 'Nobody listens. (ECONNREFUSED)', fix: 'Wait.' });
  assert.equal(listener.open, 0);
  const forward = await reached({ open: () => Promise.reject(forbidden) });
  assert.deepEqual(forward.found, { forward: { ok: false, detail: 'It is not allowed.', fix: 'Ask for the right.' } });
});

test('reach: the sources are looked for with what the listener has said', async () => {
  const seen: Ready[] = [];
  const mapFor: SourcePaths['mapFor'] = async (_, ready) => {
    seen.push(ready);
    return { local: '/src/web', sources: ['It is in /src/web.'] };
  };
  const { found } = await reached({ ready: async () => ({ script: '/app/server.js' }), paths: { mapFor } });
  assert.deepEqual([found.paths?.ok, found.paths?.detail], [true, 'It is in /src/web.']);
  assert.deepEqual(seen, [{ script: '/app/server.js' }]);
  const without = await reached({ paths: { mapFor: async () => ({ sources: ['No folder is open.'] }) } });
  assert.equal(without.found.paths?.ok, 'unknown');
});

test('reach: rejects when nobody wants to know any more', async () => {
  const stop = new AbortController();
  const open: Forwards['open'] = async () => {
    stop.abort(new Error('given up'));
    throw forbidden;
  };
  const parts = { forwards: { open }, recipes: { recipeFor: () => assert.fail() } };
  await assert.rejects(reach(parts, container(), stop.signal), /given up/);
});
