import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A running demo cluster, as a process of its own. */
export interface DemoCluster {
  readonly kubeconfig: string;
  readonly workspace: string;
  /** Address of its API server. */
  readonly server: string;
  /** Resolves when it has ended, by `stop` or by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the demo cluster from its bundle with services that have visitors. It ends with `stop`, and with this process,
 * because its standard input closes then. Throws when it ends before it is ready; what it says goes to stderr.
 */
export async function startDemoCluster(script: string): Promise<DemoCluster> {
  const child = spawn(process.execPath, ['--no-warnings', script, '--traffic'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // Ctrl+C on the terminal is for us; we then end it in order
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  child.stdin.on('error', () => undefined); // it has ended
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`The demo cluster has ended with ${code} before it was ready.`)));
  });
  const told = JSON.parse(await ready) as Pick<DemoCluster, 'kubeconfig' | 'workspace' | 'server'>;
  return {
    ...told,
    ended,
    stop() {
      child.stdin.end();
      return ended;
    },
  };
}
