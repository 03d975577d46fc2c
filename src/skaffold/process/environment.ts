import type { SkaffoldLaunch } from '../../core/runs.ts';
import type { Environment } from '../../lib/command.ts';

/**
 * Options that are given by a launch, as variables: Skaffold takes each variable as if its option had been written, lists
 * even beside what is written (skaffold: cmd/skaffold/app/cmd/cmd.go, setFlagsFromEnvVariables).
 */
const GIVEN = ['FILENAME', 'MODULE', 'PROFILE', 'NAMESPACE', 'DEPLOY_NAMESPACE', 'KUBE_CONTEXT', 'KUBECONFIG'];

/** Options that would change how it is reached or how it ends. */
const HARMFUL = [
  ...['RPC_PORT', 'RPC_HTTP_PORT', 'ENABLE_RPC', 'PORT_FORWARD', 'CLEANUP', 'CMDLINE'],
  ...['WAIT_FOR_CONNECTION', 'KEEP_RUNNING_ON_FAILURE', 'FORCE_COLORS'],
];

const REMOVED = new Set([...GIVEN, ...HARMFUL].map(name => `SKAFFOLD_${name}`));

/** Nobody is there to answer. As variables, since a Skaffold that does not know an option ends with an error (before v1.15). */
const UNATTENDED = { SKAFFOLD_INTERACTIVE: 'false', SKAFFOLD_UPDATE_CHECK: 'false' };

/** The environment of a Skaffold that is launched: ours, without what would override the launch, and its own on top. */
export const environmentOf = ({ env }: SkaffoldLaunch, ours: Environment): Environment => ({
  ...Object.fromEntries(Object.entries(ours).filter(([name]) => !REMOVED.has(name))),
  ...UNATTENDED,
  ...env,
});
