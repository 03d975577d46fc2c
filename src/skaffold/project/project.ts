import path from 'node:path';
import type { UserError } from '../../core/errors.ts';
import { codeOf, type ReadFile } from './files.ts';
import { type Module, readModule, type Requirement } from './module.ts';
import { parseFile } from './parse.ts';
import { fileLarge, fileMissing, fileUnreadable, tooManyFiles } from './problems.ts';

/** A skaffold.yaml and all that it requires. */
export type Project = Readonly<{
  /** The root. */
  file: string;
  /** All that run when none is chosen: what is required comes before what requires it. */
  modules: readonly Module[];
  /** Of all files, each once, in the order in which they are found. */
  profiles: readonly string[];
  /** Files that were looked at, the root first. */
  files: readonly string[];
  /** Where configurations come from that are not on this disk, and that are not looked at. */
  remotes: readonly string[];
  /** What cannot be read, or what Skaffold would refuse. */
  problems: readonly UserError[];
}>;

/** Far more than people write; parsing takes a second per megabyte. */
const MOST_BYTES = 256 * 1024;
const MOST_FILES = 300;

/**
 * Reads a skaffold.yaml with the files that it requires, as Skaffold goes through them (skaffold `parser/config.go`); each
 * file once, so that files which require each other are no problem. What is wrong is in `problems`, the rest is read.
 */
export async function readProject(file: string, read: ReadFile): Promise<Project> {
  const reading = new Reading(read);
  await reading.visit({ modules: [], path: file }, undefined);
  const { modules, profiles, files, remotes, problems } = reading;
  return { file, modules, profiles: [...profiles], files: [...files.keys()], remotes: [...remotes], problems };
}

class Reading {
  readonly modules: Module[] = [];
  readonly profiles = new Set<string>();
  /** By their path, with their modules. */
  readonly files = new Map<string, readonly Module[]>();
  readonly remotes = new Set<string>();
  readonly problems: UserError[] = [];
  private readonly visited = new Set<Module>();
  private isFull = false;
  private readonly read: ReadFile;

  constructor(read: ReadFile) {
    this.read = read;
  }

  async visit({ path: wanted, remote, modules }: Requirement, by: string | undefined): Promise<void> {
    if (remote !== undefined) this.remotes.add(remote);
    const file = wanted ?? by;
    if (remote !== undefined || file === undefined) return;
    for (const module of await this.modulesOf(file, by)) {
      const isWanted = modules.length === 0 || (module.name !== undefined && modules.includes(module.name));
      if (!isWanted || this.visited.has(module)) continue;
      this.visited.add(module);
      for (const requirement of module.requires) await this.visit(requirement, module.file);
      this.modules.push(module);
    }
  }

  /** Those of a file, or of the skaffold.yaml of a folder. */
  private async modulesOf(file: string, by: string | undefined): Promise<readonly Module[]> {
    const known = this.files.get(file);
    if (known) return known;
    if (this.files.size >= MOST_FILES) {
      if (!this.isFull) this.problems.push(tooManyFiles([...this.files.keys()][0]!, MOST_FILES));
      this.isFull = true;
      return [];
    }
    try {
      return await this.open(file, await this.textOf(file));
    } catch (error) {
      if (codeOf(error) === 'EISDIR' && by !== undefined) return this.modulesOf(path.join(file, 'skaffold.yaml'), by);
      this.files.set(file, []);
      this.problems.push(codeOf(error) === 'ENOENT' ? fileMissing(file, by, error) : fileUnreadable(file, error));
      return [];
    }
  }

  private async open(file: string, text: string): Promise<readonly Module[]> {
    if (text.length > MOST_BYTES) {
      this.files.set(file, []);
      this.problems.push(fileLarge(file, text.length, MOST_BYTES));
      return [];
    }
    const { documents, problems } = await parseFile(file, text);
    this.problems.push(...problems);
    const modules = documents.map(document => readModule(file, document));
    this.files.set(file, modules);
    for (const name of modules.flatMap(({ profiles }) => profiles)) this.profiles.add(name);
    return modules;
  }

  /** Skaffold takes `skaffold.yml` where there is no `skaffold.yaml` (skaffold `util/config.go`). */
  private async textOf(file: string): Promise<string> {
    try {
      return await this.read(file);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || path.basename(file) !== 'skaffold.yaml') throw error;
      try {
        return await this.read(path.join(path.dirname(file), 'skaffold.yml'));
      } catch {
        throw error; // the one that names what was asked for
      }
    }
  }
}
