import { homedir } from 'node:os';
import { openForwards } from '../../src/cluster/forward/openForwards.ts';
import type { Transport } from '../../src/cluster/forward/session.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';
import { followId } from '../../src/core/identity.ts';

// A process of its own: forwards one port over one transport until its parent goes. Bundled like the extension, because
// that is what people run, and unused code on the heap is not free: forwardMode.cjs TRANSPORT KUBECONFIG NAMESPACE POD PORT

const [mode = '', kubeconfig = '', namespace = '', pod = '', portText = ''] = process.argv.slice(2);
const port = Number(portText);

async function forward(transport: Transport): Promise<number> {
  const place = { env: process.env, home: homedir(), explicitFile: kubeconfig };
  const access = accessOf(await loadKubeconfig(place));
  const at = { cluster: access.cluster, namespace };
  const forwards = openForwards({ accessOf: () => access, transports: [transport], log: console.error });
  const forward = await forwards.open(
    { pod: { ...at, pod, podUid: '' }, port, follow: followId({ ...at, container: '' }, pod) },
    new AbortController().signal,
  );
  forward.onProblem(error => console.error(error.message));
  return forward.localPort;
}

void forward(mode as Transport).then(port => process.send?.(port));
process.on('disconnect', () => process.exit());
