import { spawn, type ChildProcess } from 'node:child_process';

/** How to start Node, for programs in containers and for the demo's own. */
export interface NodeCommand {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** This process's own Node, which in VS Code is Electron. */
export const ownNode = (): NodeCommand => ({
  path: process.execPath,
  environment: process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
});

/**
 * A process beside the demo that ends its containers if the demo dies without doing so itself (even by SIGKILL): it is
 * told each process group on its standard input, and acts when that ends.
 */
export class Reaper {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;

  constructor(node: NodeCommand) {
    const env = { ...node.environment, PATH: process.env['PATH'] ?? '' };
    const program = `(${reap.toString()})()`;
    this.child = spawn(node.path, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env });
    this.ended = new Promise(resolve => this.child.once('close', () => resolve()));
    this.child.on('error', () => undefined); // Node itself cannot be started: each container says so
    this.child.stdin!.on('error', () => undefined);
  }

  started(pid: number): void {
    this.child.stdin!.write(`+${pid}\n`);
  }

  exited(pid: number): void {
    this.child.stdin!.write(`-${pid}\n`);
  }

  async close(): Promise<void> {
    this.child.stdin!.end();
    await this.ended;
  }
}

/** Runs in a process of its own, from its source text: it may use nothing but globals. */
function reap(): void {
  const groups = new Set<number>();
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const group = Number(line.slice(1));
      if (line.startsWith('+')) groups.add(group);
      else groups.delete(group);
    }
  });
  process.stdin.on('end', () => {
    for (const group of groups) {
      try {
        process.kill(process.platform === 'win32' ? group : -group, 'SIGKILL');
      } catch {
        // it has ended by itself
      }
    }
  });
}
