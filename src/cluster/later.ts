/**
 * What a window does with clusters, in one place that it only ever imports by `await import('…/later.ts')`: the build makes
 * it a bundle of its own, which loads when somebody looks at a cluster for the first time.
 */
export { ApiError } from './access.ts';
export { detect } from './detect/detect.ts';
export { OpenedInspectors } from './detect/opened.ts';
export { detectWith, wordsOf } from './detect/overridden.ts';
export { remarksOn } from './detect/remarks.ts';
export { ClusterExec } from './exec/clusterExec.ts';
export { openForwards } from './forward/openForwards.ts';
export { kubeApi } from './http/api.ts';
export { toUserError } from './http/problems.ts';
export { kubeconfigFiles } from './kubeconfig/files.ts';
export { contextsOf, loadKubeconfig } from './kubeconfig/load.ts';
export { watchKubeconfig } from './kubeconfig/watch.ts';
export { accessOf } from './login/access.ts';
export { LeaseReader } from './pods/leaseReader.ts';
export { LastWordsReader } from './pods/lastWords.ts';
export { ProbeKillReader } from './pods/probeKills.ts';
export { runningContainers } from './watch/runningContainers.ts';
export { watchScopes } from './watch/scopes.ts';
