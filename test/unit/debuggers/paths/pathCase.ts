import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import type { PathMap, Ready, WorkspaceFiles } from '../../../../src/core/contracts.ts';
import type { Container, Detection } from '../../../../src/core/model.ts';
import type { SkaffoldRun } from '../../../../src/core/skaffold.ts';
import { sourcePaths } from '../../../../src/debuggers/sourcePaths.ts';
import { artifactSources } from '../../../../src/skaffold/artifactSources.ts';
import { container } from '../../../support/containers.ts';

/** A container of the image `registry.example/shop/web`. */
export const built = (detection: Partial<Detection>, more: Partial<Omit<Container, 'detection'>> = {}) =>
  container({ image: 'registry.example/shop/web:1', ...more, detection });

/** A skaffold.yaml with these artifacts. */
export const skaffold = (artifacts: string, more = '') =>
  `apiVersion: skaffold/v4beta11\nkind: Config\nbuild:\n  artifacts:\n${artifacts}\n${more}`;

/** Files, a container, and where its sources have to be found. */
export interface PathCase {
  readonly name: string;
  readonly files: WorkspaceFiles;
  readonly container: Container;
  readonly run?: Pick<SkaffoldRun, 'about' | 'artifacts'>;
  readonly ready?: Ready;
  readonly want: Omit<PathMap, 'sources'>;
  readonly says?: RegExp;
}

/** One test for a case. */
export const testPaths = ({ name, files, container: of, run, ready = {}, want, says }: PathCase): Promise<void> =>
  test(`paths by artifact: ${name}`, async () => {
    const read = async (file: string) => {
      const text = await files.read(file);
      if (text === undefined)
        throw Object.assign(new Error('ENOENT'), { code: (await files.exists(file)) ? 'EISDIR' : 'ENOENT' });
      return text;
    };
    const artifacts = artifactSources({ files, read, runOf: () => run as SkaffoldRun | undefined });
    const { sources, ...paths } = await sourcePaths(files, artifacts).mapFor(of, ready);
    assert.deepEqual(paths, want, sources.join(' '));
    assert.doesNotMatch(sources.join(), /undefined/);
    if (says) assert.match(sources.join(' '), says);
    assert.ok(path.isAbsolute(paths.local!));
  });
