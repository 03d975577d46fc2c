import { inRoot } from './paths.ts';
import { runCommand } from './command.ts';
import { nodePrograms } from '../../test/real/cluster/needs.ts';
import { javaDap } from '../../test/real/debuggers/needs.ts';
import { withoutSkaffold } from '../../test/real/skaffold/skaffold.ts';
import { delve } from '../../test/support/delve.ts';
import { chromium, curl, debugpy, jdk, type Need, serverModules } from './needs.ts';
import { Outcome } from './outcome.ts';
import { runTestFiles } from './testFiles.ts';

/** One part of `npm test`, in the order in which they run. */
export interface Layer {
  readonly name: string;
  /** Has to be on the machine; without one of these nothing of the layer can run. */
  readonly needs: readonly Need[];
  /** Whether it works on the packed extension. */
  readonly usesVsix: boolean;
  /** What is skipped of it is no failure in CI either: it tests with a program that nobody can install. */
  readonly isOptional?: boolean;
  /** `stop` ends it early. */
  run(patterns: readonly string[], stop: AbortSignal): Promise<Outcome>;
}

const SECOND = 1000;

/** A program of node_modules as a layer of one check: exit code 0 passes, else everything that it printed is shown. */
function check(name: string, script: string, args: readonly string[]): Layer {
  return {
    name,
    needs: [],
    usesVsix: false,
    async run(_patterns, stop) {
      const outcome = new Outcome();
      const command = [inRoot('node_modules', script), ...args];
      const { ok, output } = await runCommand(process.execPath, command, { timeoutMs: 120 * SECOND, signal: stop });
      if (ok) outcome.passed++;
      else {
        outcome.failed.push(name);
        console.log(output.trimEnd());
      }
      return outcome;
    },
  };
}

interface TestLayer {
  readonly files: string;
  readonly concurrency: number;
  readonly limitMs: number;
  readonly needs?: readonly Need[];
  readonly isWithVsCode?: boolean;
  readonly isVerbose?: boolean;
}

const tests = (
  name: string,
  { needs = [], isWithVsCode = false, isVerbose = isWithVsCode, ...files }: TestLayer,
): Layer => ({
  name,
  needs: isWithVsCode ? [serverModules, chromium, ...needs] : needs,
  usesVsix: isWithVsCode,
  run: (patterns, stop) => runTestFiles({ ...files, patterns, isVerbose, stop }),
});

/** Each file brings up a cluster of its own. */
const realTests = (name: string, { needs = [], ...layer }: TestLayer): Layer =>
  tests(name, { ...layer, needs: [nodePrograms, ...needs], isVerbose: true });

/** Cheap ones first. The limits together stay below half an hour. */
export const layers: readonly Layer[] = [
  check('types', 'typescript/bin/tsc', ['-p', inRoot('tsconfig.json')]),
  check('lint', 'oxlint/bin/oxlint', [
    ...['-c', inRoot('.ci', 'oxlint.json'), '--type-aware', '--tsconfig', inRoot('tsconfig.json')],
    ...['--ignore-pattern', 'src/proto/gen', '--deny-warnings', 'src', 'test', '.ci'],
  ]),
  check('formatting', 'prettier/bin/prettier.cjs', [
    ...['--check', '--log-level', 'warn', '{src,test,.ci}/**/*.{ts,js,cjs,mjs,json}', '*.json', '!test/fixtures/**'],
  ]),
  tests('unit', { files: 'test/unit/**/*.test.ts', concurrency: 2, limitMs: 120 * SECOND }),
  tests('integration', {
    files: 'test/integration/**/*.test.ts',
    concurrency: 2,
    limitMs: 480 * SECOND,
    needs: [jdk, curl, debugpy, delve, javaDap],
  }),
  tests('host', { files: 'test/host/*.test.ts', concurrency: 1, limitMs: 120 * SECOND, isWithVsCode: true }),
  tests('e2e', {
    files: 'test/e2e/*.test.ts',
    concurrency: 1,
    limitMs: 840 * SECOND,
    isWithVsCode: true,
    needs: [jdk],
  }),
];

/** What `npm run test:real` runs. */
export const realLayers: readonly Layer[] = [
  realTests('cluster', { files: 'test/real/selfCheck.test.ts', concurrency: 1, limitMs: 600 * SECOND }),
  realTests('contract', { files: 'test/real/contract.test.ts', concurrency: 1, limitMs: 900 * SECOND }),
  realTests('faults', { files: 'test/real/faults/*.test.ts', concurrency: 2, limitMs: 1500 * SECOND }),
  realTests('debuggers', {
    files: 'test/real/debuggers/*.test.ts',
    concurrency: 1,
    limitMs: 900 * SECOND,
    isWithVsCode: true,
    needs: [javaDap],
  }),
];

/** No registry has it. */
const skaffoldProgram: Need = {
  name: 'the program skaffold',
  isThere: () => withoutSkaffold === undefined,
  install: () => Promise.reject(new Error(withoutSkaffold)),
};

/** What `npm run test:skaffold` runs. */
export const skaffoldLayers: readonly Layer[] = [
  {
    ...realTests('skaffold', {
      ...{ files: 'test/real/skaffold/*.test.ts', concurrency: 1, limitMs: 1800 * SECOND },
      isWithVsCode: true,
    }),
    needs: [skaffoldProgram, nodePrograms, serverModules, chromium, javaDap],
    isOptional: true,
  },
];
