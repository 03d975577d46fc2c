import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workload } from '../workloads.ts';
import { compileJava } from './java.ts';
import { compileTypeScript, isWithoutCompiler } from './typescript.ts';

/** Builds what a registry would hold: for each workload and version a folder that stands for the image's `/app`. */
export class Images {
  private readonly workspace: string;
  private readonly directory: string;
  private readonly compile: typeof compileTypeScript;
  private readonly versions = new Map<string, number>();

  constructor(workspace: string, directory: string, compile = compileTypeScript) {
    this.compile = compile;
    this.workspace = workspace;
    this.directory = directory;
  }

  /** Builds the next version from the workspace as it is now; resolves with its folder. */
  async build(workload: Workload): Promise<string> {
    const version = (this.versions.get(workload.folder) ?? 0) + 1;
    this.versions.set(workload.folder, version);
    const sources = join(this.workspace, workload.folder);
    const app = join(this.directory, `${workload.folder}-${version}`, 'app');
    await mkdir(app, { recursive: true });
    await this.fill(app, workload.language, sources);
    return app;
  }

  private async fill(app: string, language: Workload['language'], sources: string): Promise<void> {
    if (language === 'javascript') await cp(sources, app, { recursive: true });
    else if (language === 'java') await compileJava(join(sources, 'src', 'main', 'java'), join(app, 'classes'));
    else await this.fillFromTypeScript(app, sources);
  }

  /**
   * The image has what was compiled, and not the sources: breakpoints need the source map, which a debugger reads from
   * this machine. So the build is in the workspace too, as a developer has it.
   */
  private async fillFromTypeScript(app: string, sources: string): Promise<void> {
    const dist = join(sources, 'dist');
    await cp(join(sources, 'package.json'), join(app, 'package.json'));
    try {
      await compileTo(dist, sources, this.compile);
    } catch (error) {
      if (!isWithoutCompiler(error) || !existsSync(dist)) throw error; // what is there was packed with the extension
    }
    await cp(dist, join(app, 'dist'), { recursive: true });
  }
}

/** Compiles `src/server.ts` of a service to a folder beside `src`. Throws `UserError` when this Node cannot. */
export async function compileTo(dist: string, sources: string, compile = compileTypeScript): Promise<void> {
  const text = await readFile(join(sources, 'src', 'server.ts'), 'utf8');
  const { code, map } = compile(text, { file: 'server.js', source: '../src/server.ts' });
  await mkdir(dist, { recursive: true });
  await writeFile(join(dist, 'server.js'), code);
  await writeFile(join(dist, 'server.js.map'), map);
}
