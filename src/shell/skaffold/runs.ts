import { basename } from 'node:path';
import type { Application } from '../../core/application.ts';
import { followInto } from '../../core/followedRun.ts';
import type { SourceName } from '../../core/model.ts';
import type { FollowedRun, RunAbout } from '../../core/runs.ts';
import type { Disposable } from '../../lib/disposable.ts';
import type { Found } from '../../skaffold/discovery/findSkaffolds.ts';
import { skaffoldSourceName } from '../../skaffold/sourceName.ts';

/** Every Skaffold that this window knows: those whose events it reads, and those that run on this machine and could be joined. */
export class SkaffoldRuns implements Disposable {
  private readonly followed = new Map<SourceName, FollowedRun & Disposable>();
  /** Those that run for this user; they are not asked anything before somebody joins them. */
  private readonly found = new Map<SourceName, RunAbout>();
  /** Those of them that are offered in the view: nobody reads them. */
  private readonly offered = new Set<SourceName>();
  private looking: AbortController | undefined;
  private readonly app: Pick<Application, 'watch' | 'store'>;

  constructor(app: Pick<Application, 'watch' | 'store'>) {
    this.app = app;
  }

  /** Reads what a Skaffold says; it goes from the view when nobody reads any more, or it has ended well. */
  follow(about: RunAbout, drainMs: number): FollowedRun {
    const name = skaffoldSourceName(about.port);
    const known = this.found.get(name);
    this.followed.get(name)?.dispose();
    const run = followInto({
      watch: (source, events) => this.app.watch(source, events),
      name,
      about: known && about.origin === 'given' ? { ...known, origin: 'given' } : about, // a look may have found our own, too
      open: signals =>
        async function* (signal) {
          const { followSkaffold } = await import('../../skaffold/later.ts');
          yield* followSkaffold({ port: about.port, drainMs, ...signals })(signal);
        },
    });
    this.followed.set(name, run);
    this.offered.delete(name);
    void this.untilDrained(name, run);
    return run;
  }

  /** The port of the only one that runs, where there is one. */
  async onlyPort(): Promise<number | undefined> {
    const { findSkaffolds } = await import('../../skaffold/later.ts');
    const [only, ...more] = await findSkaffolds();
    return more.length === 0 ? only?.port : undefined;
  }

  /** Looks for those that run on this machine, until `stop`. */
  start(): void {
    if (this.looking) return;
    const looking = new AbortController();
    this.looking = looking;
    void this.look(looking.signal);
  }

  stop(): void {
    this.looking?.abort();
    this.looking = undefined;
    for (const name of [...this.found.keys()]) this.withdraw(name);
  }

  dispose(): void {
    this.stop();
    for (const run of this.followed.values()) run.dispose();
  }

  private async look(signal: AbortSignal): Promise<void> {
    const { watchSkaffolds } = await import('../../skaffold/later.ts');
    for await (const { appeared, gone } of watchSkaffolds({ signal })) {
      if (signal.aborted) return;
      for (const { port } of gone) this.withdraw(skaffoldSourceName(port));
      for (const one of appeared) {
        const name = skaffoldSourceName(one.port);
        this.found.set(name, aboutOf(one));
        this.offer(name);
      }
    }
  }

  /** It is read to its end; then it goes from the view, or is offered again where it runs on. */
  private async untilDrained(name: SourceName, run: FollowedRun & Disposable): Promise<void> {
    const drain = await run.drained;
    if (this.followed.get(name) !== run) return;
    this.followed.delete(name);
    run.dispose();
    if (drain)
      this.found.delete(name); // before the next look shows that it is gone
    else this.offer(name);
  }

  private offer(name: SourceName): void {
    const about = this.found.get(name);
    if (!about || this.followed.has(name)) return;
    this.offered.add(name);
    this.app.store.apply({ kind: 'skaffold', source: name, facts: [{ kind: 'about', about }] });
  }

  private withdraw(name: SourceName): void {
    this.found.delete(name);
    // How one that was read has ended stays to be seen.
    if (this.offered.delete(name)) this.app.store.apply({ kind: 'dismissed', source: name });
  }
}

const aboutOf = ({ pid, port, folder, file }: Found): RunAbout => ({
  ...{ pid, port, origin: 'found' },
  name: basename(folder ?? file ?? `port ${port}`),
  ...(folder === undefined ? {} : { folder }),
});
