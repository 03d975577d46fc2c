// .NET itself is on no machine of these tests. What is: the shell that looks, a process that has a file of the runtime's name in its
// memory, and the pipe, between real processes.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { LOOK } from '../../../src/debuggers/netcore/inside.ts';
import { skipWithoutProc } from '../../support/linuxProcesses.ts';
import { start } from '../../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'breakpod-netcore-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const pipe = inRoot('src', 'debuggers', 'netcore', 'pipe.ts');

test(
  'netcore: the look finds programs by what is in their memory, and debuggers that can be executed',
  {
    skip: skipWithoutProc,
  },
  async t => {
    const runtime = join(folder, 'libcoreclr.so');
    const executable = join(folder, 'vsdbg');
    writeFileSync(runtime, 'x'.repeat(8192));
    writeFileSync(executable, '#!/bin/sh\n');
    writeFileSync(join(folder, 'plain'), '');
    chmodSync(executable, 0o755);
    const map =
      'import mmap, sys, time; f = open(sys.argv[1]); m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ); print("mapped", flush=True); time.sleep(600)';
    const program = start(t, 'python3', ['-c', map, runtime, 'an argument']);
    await program.until(/mapped/);
    const args = ['-c', LOOK, 'sh', executable, join(folder, 'plain'), join(folder, 'none'), folder];
    const { stdout } = await promisify(execFile)('/bin/sh', args);
    const lines = stdout.split('\n').filter(Boolean);
    assert.deepEqual(
      lines.filter(line => line.startsWith('debugger')),
      [`debugger ${executable}`],
    );
    const own = lines.find(line => line.startsWith(`process ${program.process.pid} `));
    assert.deepEqual(own?.split(' ').slice(2).join(' ').split('\x1f').slice(-3), [runtime, 'an argument', '']);
    assert.ok(!lines.some(line => line.startsWith(`process ${process.pid} `)), 'this process has no .NET');
  },
);

test('netcore: the pipe joins its input and output to the port, and ends with it', async t => {
  const server = net.createServer(client => {
    client.on('data', data => client.end(data.toString().toUpperCase()));
  });
  t.after(() => server.close());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const child = spawn(process.execPath, [pipe, String(port), '/dbg/netcore/vsdbg --interpreter=vscode']);
  child.stdin.write('content-length');
  assert.equal(await text(child.stdout), 'CONTENT-LENGTH');
});

test('netcore: a pipe that leads nowhere says so and fails', async () => {
  const child = spawn(process.execPath, [pipe, '1']);
  const [said, code] = await Promise.all([text(child.stderr), new Promise(resolve => child.once('close', resolve))]);
  assert.match(said, /the way to the debugger in the container is closed \(.*ECONNREFUSED/);
  assert.equal(code, 1);
});
