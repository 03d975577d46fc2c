import assert from 'node:assert/strict';
import test from 'node:test';
import type { UserError } from '../../../src/core/errors.ts';
import { UserRecipes } from '../../../src/shell/userRecipes.ts';

test('own recipes: read when they are wanted, told once per change', () => {
  const told: UserError[] = [];
  let reads = 0;
  let value: unknown = { bad: 7, go: { port: 1 } };
  const recipes = new UserRecipes(
    () => (reads++, value),
    problem => told.push(problem),
  );
  assert.equal(reads, 0);
  assert.deepEqual([...recipes.overrides().keys()], ['go']);
  recipes.overrides();
  assert.deepEqual([reads, told.length], [1, 1]);
  value = { bad: { port: 2 } };
  recipes.forget();
  assert.deepEqual([...recipes.overrides().keys()], ['bad']);
  assert.equal(told.length, 1);
});
