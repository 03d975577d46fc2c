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
  `--port-forward=${launch.portForward.join(',') || 'off'}`,
  `--cleanup=${launch.cleanUp}`,
  ...launch.args,
];

const optional = (name: string, value: string | undefined): string[] => (value ? [`--${name}=${value}`] : []);
