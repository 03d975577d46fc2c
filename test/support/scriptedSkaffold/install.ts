import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Happening, SCENARIO, type Scenario } from './scenario.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

/** A scripted Skaffold in a folder. */
export interface ScriptedSkaffold {
  /** The program, named `skaffold`; its folder goes on PATH. */
  readonly binary: string;
  /** Has to be in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What has happened to it so far, over all its starts; or of one kind. */
  happenings<K extends Happening['kind']>(kind: K): Extract<Happening, { kind: K }>[];
  /** What has happened to it until now is not told any more. */
  forget(): void;
  /** From its next start on. */
  play(scenario: Omit<Scenario, 'record'>): void;
}

/** Writes a program `skaffold` into a folder that plays a scenario. Not on Windows, which does not know `#!`. */
export function installSkaffold(folder: string, scenario: Omit<Scenario, 'record'> = {}): ScriptedSkaffold {
  const binary = join(folder, 'bin', 'skaffold');
  const [record, file] = [join(folder, 'record.ndjson'), join(folder, 'scenario.json')];
  mkdirSync(dirname(binary), { recursive: true });
  rmSync(record, { force: true });
  writeFileSync(binary, `#!${process.execPath}\nimport(${JSON.stringify(program)});\n`);
  chmodSync(binary, 0o755);
  const play = (next: Omit<Scenario, 'record'>) => writeFileSync(file, JSON.stringify({ ...next, record }));
  play(scenario);
  return {
    binary,
    env: { [SCENARIO]: file, NODE_NO_WARNINGS: '1' },
    play,
    forget: () => rmSync(record, { force: true }),
    happenings: <K extends Happening['kind']>(kind: K) =>
      (existsSync(record) ? readFileSync(record, 'utf8') : '')
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line) as Happening)
        .filter((one): one is Extract<Happening, { kind: K }> => one.kind === kind),
  };
}
