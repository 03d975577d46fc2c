import assert from 'node:assert/strict';
import test from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import { otherDebuggers, recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { forwardTo } from '../../support/directForward.ts';
import { freePort, listen } from '../../support/listeners.ts';

const recipes = [...Object.values(recipeTable), ...Object.values(otherDebuggers).flat()];
// A debugger that is a program in the container has no listener to wait for.
const asked = recipes.filter(({ isInside }) => !isInside);
const ways = asked.flatMap(recipe =>
  (recipe.runtime === 'go' ? [false, true] : [false]).map(takesMany => ({ recipe, takesMany })),
);

for (const { recipe, takesMany } of ways)
  for (const [name, listener] of Object.entries({
    'a port that refuses': () => freePort(),
    'a silent listener': (t: test.TestContext) => listen(t, () => undefined),
  }))
    test(`${recipe.runtime} with ${recipe.type}${takesMany ? ', several clients' : ''}: cancelled at ${name}`, async t => {
      const forward = await forwardTo(t, await listener(t));
      const control = new AbortController();
      const { dial } = forward;
      forward.dial = async signal => {
        const connection = await dial.call(forward, signal);
        setImmediate(() => control.abort(new UserError('attach-cancelled', 'The attach was cancelled.')));
        return connection;
      };
      const ready = recipe.ready(forward, { takesMany, signal: control.signal });
      await assert.rejects(ready, { code: 'attach-cancelled' });
      assert.equal(forward.open, 0);
      assert.deepEqual(forward.handedOver, []);
    });
