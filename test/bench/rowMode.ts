import { homedir } from 'node:os';
import { detect } from '../../src/cluster/detect/detect.ts';
import { kubeApi } from '../../src/cluster/http/api.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import { EventLog } from '../../src/core/eventLog.ts';
import { Feed } from '../../src/core/feed.ts';
import { rowsOf } from '../../src/core/selectors.ts';
import { Store } from '../../src/core/store.ts';

// A process of its own: watches one namespace and prints a line, as kubectl does, when a row says that its container runs.
// Bundled like the extension, because that is what people run: rowMode.cjs KUBECONFIG NAMESPACE

const [kubeconfig = '', namespace = ''] = process.argv.slice(2);

async function run(): Promise<void> {
  const access = accessOf(await loadKubeconfig({ env: process.env, home: homedir(), explicitFile: kubeconfig }));
  const store = new Store(new EventLog(() => new Date()));
  const told = new Set<string>();
  store.onDidChange(state => {
    for (const { container } of rowsOf(state)) {
      if (container.phase.kind !== 'running' || told.has(container.slot)) continue;
      told.add(container.slot);
      process.stdout.write(`${container.pod} Running\n`);
    }
  });
  const feed = new Feed(
    podSource({ api: kubeApi(access), scope: { namespace }, detect, source: 'pods' }),
    store,
    console.error,
  );
  await feed.done;
}

void run();
process.on('disconnect', () => process.exit());
