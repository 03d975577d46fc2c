// The node itself: is it what the other tests take it for, and does it go without a trace?
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { before, suite, test } from 'node:test';
import { inRoot } from '../../.ci/lib/paths.ts';
import { afterSuite, eventually } from '../integration/demo/support.ts';
import { down } from './cluster/down.ts';
import { addEphemeral, killContainer, podNamed, statusesOf } from './cluster/faults/pods.ts';
import { type CommandError, run, until } from './cluster/run.ts';
import { isReady, kubectl, kubectlJson, spawnKubectl } from './cluster/kubectl.ts';
import { leftovers, tracesOf } from './cluster/leftovers.ts';
import { identify, inNamespace, kill, namespaceOf, processOfContainer } from './cluster/processes.ts';
import { type Cluster, remainsOf, save } from './cluster/state.ts';
import { up } from './cluster/up.ts';
import { renewToken } from './cluster/users.ts';
import { clusterFor, skip } from './support/clusterFor.ts';
import { kubectlForward } from './support/kubectlForward.ts';
import * as probes from './support/probes.ts';

const limit = { timeout: 180_000 };

/** Settings of the whole machine that a kubelet changes. */
const settings = ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops'];
const settingsNow = () => settings.map(name => `${name} ${readFileSync(join('/proc/sys', name), 'utf8')}`);

/** What else a node could change on its host; chains that exist but hold nothing do not count. */
async function hostNow() {
  const rules = (await run('iptables-save', [])).split('\n').filter(line => line.startsWith('-A'));
  const forwards = readFileSync('/proc/sys/net/ipv4/ip_forward', 'utf8');
  return { settings: settingsNow(), forwards, rules, routes: await run('ip', ['route', 'show', 'default']) };
}

suite('the real node', { skip }, () => {
  const after = afterSuite();
  let cluster: Cluster;
  before(async () => {
    const hostBefore = await hostNow();
    cluster = await clusterFor(after, { name: 'self-check' });
    assert.deepEqual(await hostNow(), hostBefore);
  });

  const runtimes = [
    { name: 'node', port: 9229, probe: probes.devtools, answer: /^ws:/ },
    { name: 'java', port: 5005, probe: probes.jdwp, answer: /^JDWP-Handshake$/ },
    { name: 'python', port: 5678, probe: probes.dap, answer: /initialize/ },
    { name: 'go', port: 56268, probe: probes.dlv, answer: /Version: 1\./ },
  ];
  for (const { name, port, probe, answer } of runtimes)
    test(`${name}: its debug port answers through a port-forward, and so does the service`, limit, async () => {
      const debug = await kubectlForward(cluster, `deployment/${name}`, port);
      assert.match(await probe(debug.port), answer);
      await debug.close();
      const web = await kubectlForward(cluster, `pod/${await podOf(name)}`, 8080, 'dev');
      const response = await fetch(`http://127.0.0.1:${web.port}/hi`);
      assert.match(await response.text(), new RegExp(`^${name} /hi \\d+\\n$`));
      await web.close();
    });

  const podOf = async (app: string): Promise<string> => {
    const { items } = await kubectlJson(cluster, ['get', 'pods', '-n', 'shop', '-l', `app=${app}`]);
    return items.find(pod => !pod.metadata.deletionTimestamp && isReady(pod))!.metadata.name;
  };

  test('pods are in the states that their names say', limit, async () => {
    const states = async (name: string) =>
      statusesOf(await podNamed(cluster, name)).map(
        ({ name, state }) => `${name} ${state.waiting?.reason ?? state.terminated?.reason ?? 'Running'}`,
      );
    await until('sidecar', async () => isReady(await podNamed(cluster, 'sidecar')));
    assert.deepEqual(await states('two'), ['back Running', 'front Running']);
    assert.deepEqual(await states('sidecar'), ['setup Completed', 'helper Running', 'web Running']);
    await until('a second run of crash', async () => statusesOf(await podNamed(cluster, 'crash'))[0]!.restartCount > 0);
    const wait = ['wait', 'job/job', '-n', 'shop', '--for=condition=Complete', '--timeout=60s'];
    await kubectl(cluster, wait, { timeoutMs: 70_000 });
    const { state } = await addEphemeral(cluster, 'flags', 'visitor', [
      'node',
      '--inspect=0.0.0.0:9300',
      '-e',
      'setInterval(() => {}, 1e6)',
    ]);
    assert.ok(state.running);
  });

  test('each user has the rights that the name says', limit, async () => {
    const may = async (user: string, ...what: string[]) => {
      const answer = kubectl(cluster, ['auth', 'can-i', ...what], { user });
      return (await answer.catch((error: unknown) => (error as CommandError).stdout)).trim();
    };
    for (const [user, forwards] of Object.entries({ dev: 'yes', viewer: 'no', exec: 'yes', file: 'yes' })) {
      assert.equal(await may(user, 'watch', 'pods', '-n', 'shop'), 'yes', user);
      assert.equal(await may(user, 'create', 'pods', '--subresource=portforward', '-n', 'shop'), forwards, user);
      assert.equal(await may(user, 'list', 'pods', '-A'), 'no', user);
      assert.equal(await may(user, 'delete', 'pods', '-n', 'shop'), 'no', user);
    }
    await assert.rejects(kubectlForward(cluster, 'pod/flags', 9229, 'viewer'), /forbidden/);
    assert.match(readFileSync(join(cluster.work, 'credential.log'), 'utf8'), /Z\n/);
  });

  test('a token that has ended is refused until the next one is there', limit, async () => {
    const get = () => kubectl(cluster, ['get', 'pods'], { user: 'file' });
    await renewToken(cluster, -3_600);
    await assert.rejects(get(), /Unauthorized|must be logged in/);
    await renewToken(cluster, 600);
    assert.match(await get(), /flags/);
  });

  test('logs follow, and a container that is killed restarts in place', limit, async () => {
    const logs = spawnKubectl(cluster, ['logs', '-f', 'sidecar', '-c', 'helper', '-n', 'shop']);
    let text = '';
    logs.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await eventually('two lines of the log', () => text.split('helping').length > 2 || undefined);
    logs.kill();
    const web = async () => statusesOf(await podNamed(cluster, 'flags')).find(({ name }) => name === 'web')!;
    const was = await web();
    await killContainer(cluster, 'flags', 'web');
    const is = await until('the restart', async () => {
      const now = await web();
      return now.state.running && now.containerID !== was.containerID ? now : undefined;
    });
    assert.equal(is.restartCount, was.restartCount + 1);
  });

  test('a second cluster beside it has pods of its own, and goes alone', limit, async () => {
    const other = await up({ name: 'self-check-2' });
    try {
      await kubectl(other, ['create', 'namespace', 'elsewhere']);
      const namespaces = await kubectl(cluster, ['get', 'namespaces', '-o', 'name']);
      assert.match(namespaces, /shop/);
      assert.doesNotMatch(namespaces, /elsewhere/);
    } finally {
      await down(other.name);
    }
    assert.match(await kubectl(cluster, ['get', 'pods', '-n', 'shop']), /flags/);
  });

  test('what runs in a container of a neighbour is not taken for what a gone cluster has left', limit, async () => {
    const { status } = await podNamed(cluster, 'flags');
    const web = status.containerStatuses!.find(({ name }) => name === 'web')!;
    const { pid } = processOfContainer(cluster.cgroup, web.containerID!.replace('containerd://', ''))!;
    // As after the kernel has given the numbers of the gone cluster's namespaces to that container's.
    const reused = { pid: namespaceOf(pid, 'pid'), net: namespaceOf(pid, 'net') };
    assert.deepEqual(await leftovers({ cluster: remainsOf('gone'), ...reused }), []);
    const left = await leftovers({ cluster: remainsOf('gone'), pid: namespaceOf(process.pid, 'pid') });
    assert.ok(left.includes(`process ${process.pid}`), left.join('\n'));
  });

  test('the link of a neighbour that has taken over its name is left alone', limit, async () => {
    const gone = remainsOf('gone');
    mkdirSync(gone.work);
    save({ ...gone, link: cluster.link, linkIndex: '0' });
    await down(gone.name);
    assert.match(await kubectl(cluster, ['get', 'pods', '-n', 'shop']), /flags/);
  });

  test('a crash of all its processes leaves nothing that down does not find', limit, async () => {
    const traces = tracesOf(cluster);
    for (const pid of inNamespace('pid', traces.pid!)) if (pid !== cluster.init.pid) kill(identify(pid));
    kill(cluster.unshare); // what a shell would end, which knows only this one
    await down(cluster.name);
    assert.deepEqual(await leftovers(traces), []);
    await down(cluster.name); // and once more, for nothing
  });
});

suite('an up that is cut short', { skip }, () => {
  for (const ms of [400, 1_500, 4_000])
    test(`leaves nothing that down does not find (killed after ${ms} ms)`, limit, async () => {
      const name = 'cut-short';
      await down(name);
      const command = [inRoot('.ci', 'cluster.ts'), 'up', '--name', name];
      const child = spawn(process.execPath, command, { stdio: 'ignore' });
      await eventually('its folder', () => existsSync(remainsOf(name).work) || undefined);
      await delay(ms);
      child.kill('SIGKILL');
      const traces = tracesOf(remainsOf(name));
      await down(name);
      assert.deepEqual(await leftovers(traces), []);
    });

  test('takes away what it has made when it is asked to end', limit, async () => {
    const name = 'interrupted';
    const command = [inRoot('.ci', 'cluster.ts'), 'up', '--name', name];
    const child = spawn(process.execPath, command, { stdio: 'ignore' });
    const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
    await eventually('its folder', () => existsSync(remainsOf(name).work) || undefined);
    const traces = tracesOf(await eventually('its link', () => (remainsOf(name).link ? remainsOf(name) : undefined)));
    child.kill('SIGTERM');
    assert.equal(await ended, 1);
    assert.deepEqual(await leftovers(traces), []);
  });
});
