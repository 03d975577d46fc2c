import type { SkaffoldLaunch } from '../../core/runs.ts';

/** The arguments of a launch; each option with `=`, since the name of a profile that is switched off begins with a minus. */
export const argumentsOf = (launch: SkaffoldLaunch, port: number): string[] => [
  'debug',
  `--filename=${launch.file}`,
  `--rpc-port=${port}`,
  ...launch.modules.map(name => `--module=${name}`),
  ...launch.profiles.map(name => `--profile=${name}`),
  ...optional('namespace', launch.namespace),
  ...optional('kube-context', launch.kubeContext),
  ...optional('kubeconfig', launch.kubeconfig),
  `--port-forward=${portForwardOf(launch)}`,
  `--cleanup=${launch.cleanUp}`,
  ...launch.args,
];

/** `false` is understood by those before v1.22, too, which know no modes (skaffold: cmd/skaffold/app/cmd/flags.go). */
const portForwardOf = ({ portForward }: SkaffoldLaunch): string =>
  portForward.filter(mode => mode !== 'off').join(',') || 'false';

const optional = (name: string, value: string | undefined): string[] => (value ? [`--${name}=${value}`] : []);
