import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { Meter } from './watchUsage.ts';

// A process of its own: client-node's informer for all pods, until a pod of the last name comes.
// watchInformer.ts KUBECONFIG LAST

const [kubeconfig = '', last = ''] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const api = config.makeApiClient(CoreV1Api);
const meter = new Meter();
const pods = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
const see = (pod: { metadata?: { name?: string } }) => {
  if (pod.metadata?.name === last) meter.finished();
};
pods.on('add', see);
pods.on('update', see);
pods.on('error', error => console.error('informer:', error));
await pods.start();
setTimeout(() => meter.listed(), 200); // its watch opens after `start` has resolved
process.on('disconnect', () => process.exit());
