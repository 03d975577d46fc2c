import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What the real curl does with an address; it takes a stream that breaks off for an error (18). Ends with the test. */
export function curl(t: { after(end: () => void): void }, ...args: string[]) {
  const child = spawn('curl', ['-sSN', '--max-time', '600', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let seen = '';
  child.stdout.on('data', (data: Buffer) => (seen += data.toString()));
  const code = new Promise<number | null>(resolve => child.once('close', resolve));
  return { code, seen: () => seen, stderr: text(child.stderr) };
}
