import assert from 'node:assert/strict';
import test from 'node:test';
import { configurationOf } from '../../../src/debuggers/configuration.ts';
import { mappedIn } from '../../../src/debuggers/mappedPaths.ts';
import { otherDebuggers, recipeTable } from '../../../src/debuggers/recipeTable.ts';
import { container } from '../../support/containers.ts';

const paths = { local: '/ws', remote: '/app', sources: [] };
const recipes = [...Object.values(recipeTable), ...Object.values(otherDebuggers).flat()];

for (const recipe of recipes)
  test(`what is mapped is read from a configuration of its debugger: ${recipe.runtime}, ${recipe.type}`, () => {
    const of = container({ detection: { runtime: recipe.runtime, path: '/debug' } });
    const { name: _, ...configuration } = configurationOf(recipe, of, { host: '127.0.0.1', port: 1 }, paths);
    const want = recipe.type === 'java' ? { local: '/ws' } : { local: '/ws', remote: '/app' };
    assert.deepEqual(mappedIn(configuration), [want]);
  });

test('what is mapped: several directories, Go modules, and what is none', () => {
  assert.deepEqual(
    mappedIn({
      pathMappings: [{ localRoot: '/a', remoteRoot: '/x' }, { remoteRoot: '/y' }, 7],
      guessSubstitutePath: { ClientModuleDirectories: { 'a.example/b': '/b' } },
      sourceFileMap: 'no',
      localRoot: null,
    }),
    [{ local: '/a', remote: '/x' }, { local: '/b' }],
  );
});
