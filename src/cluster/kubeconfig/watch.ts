import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Coalesced } from '../../lib/coalesce.ts';
import { type Disposable, Disposables, disposable } from '../../lib/disposable.ts';

/** A tool that writes a kubeconfig is done by then. */
const SETTLE_MS = 200;
/** How often the files are looked at where the system cannot watch. */
const POLL_MS = 5_000;

/**
 * Calls `onChange` once after the contents of any of the files have changed, also when a file is replaced, made later
 * or removed. Start it before loading, so that no change falls between the two.
 */
export function watchKubeconfig(files: readonly string[], onChange: () => void): Disposable {
  const own = new Disposables();
  const watch = own.add(new DirectoryWatches(() => changed.call()));
  let known = digest(files);
  const changed = own.add(
    new Coalesced(SETTLE_MS, () => {
      watch.follow(directoriesOf(files));
      const now = digest(files);
      if (now === known) return;
      known = now;
      onChange();
    }),
  );
  watch.follow(directoriesOf(files));
  return own;
}

/** Watches a set of directories; files themselves are not watched, since a replaced one takes its watch with it. */
class DirectoryWatches implements Disposable {
  private readonly watches = new Map<string, Disposable>();
  private readonly onEvent: () => void;

  constructor(onEvent: () => void) {
    this.onEvent = onEvent;
  }

  follow(directories: ReadonlySet<string>): void {
    for (const directory of this.watches.keys()) if (!directories.has(directory)) this.drop(directory);
    for (const directory of directories)
      if (!this.watches.has(directory)) this.watches.set(directory, this.watch(directory));
  }

  dispose(): void {
    for (const directory of this.watches.keys()) this.drop(directory);
  }

  private drop(directory: string): void {
    this.watches.get(directory)?.dispose();
    this.watches.delete(directory);
  }

  private watch(directory: string): Disposable {
    try {
      const watcher = fs.watch(directory, { persistent: false }, this.onEvent);
      watcher.on('error', () => {
        this.drop(directory); // the directory is gone: the next look finds the one above it
        this.onEvent();
      });
      return disposable(() => watcher.close());
    } catch {
      const timer = setInterval(this.onEvent, POLL_MS).unref(); // no watches are left, or the file system has none
      return disposable(() => clearInterval(timer));
    }
  }
}

/** Where changes of the files show: the nearest directory that exists, and that of what a symbolic link leads to. */
function directoriesOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.flatMap(file => [nearestDirectory(file), nearestDirectory(realPath(file))]));
}

function nearestDirectory(file: string): string {
  const parent = path.dirname(file);
  return parent === file || fs.existsSync(parent) ? parent : nearestDirectory(parent);
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

function digest(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(contentOf(file)).update('\0');
  return hash.digest('base64');
}

function contentOf(file: string): Buffer | string {
  try {
    return fs.statSync(file).isFile() ? fs.readFileSync(file) : 'not a file';
  } catch (error) {
    return `no file: ${(error as NodeJS.ErrnoException).code}`;
  }
}
