import { UserError } from '../core/errors.ts';
import { oneLine } from '../lib/plainText.ts';

/** .NET has no debug port; its debugger is started inside the container. */
export const noPortDebugger = (container: string): UserError =>
  new UserError('netcore-unsupported', `Container "${container}" runs .NET, which Breakpod cannot attach to yet.`, {
    cause: '.NET has no debug port: its debugger runs inside the container, started over "kubectl exec"',
    remedy:
      'Use a launch configuration of type "coreclr" with "pipeTransport" that runs "kubectl exec -i POD -c CONTAINER --" and the path of vsdbg in the container.',
  });

/** PyCharm's debugger is what listens. */
export const pydevdUnsupported = (container: string): UserError =>
  new UserError('pydevd-unsupported', `Container "${container}" runs pydevd, which VS Code cannot attach to.`, {
    cause: "pydevd speaks PyCharm's protocol, VS Code's Python debugger that of debugpy",
    remedy: 'Start the program with debugpy instead; with Skaffold: "skaffold debug --protocols=dap".',
  });

/** A name from an annotation that no recipe has. */
export const unknownRuntime = (container: string, runtime: string): UserError =>
  new UserError(
    'runtime-unknown',
    `No debugger is known for the runtime "${oneLine(runtime, 63)}" of container "${container}".`,
    {
      remedy:
        'Known are jvm, nodejs, python and go. The port can be forwarded: copy the address and attach a debugger of your own.',
    },
  );

/** Something may listen, but nothing says what. */
export const noRuntime = (container: string, cause: string | undefined): UserError =>
  new UserError('runtime-missing', `Nothing says which debugger fits container "${container}".`, {
    cause,
    remedy:
      'Name the runtime in the annotation debug.cloud.google.com/config, or the port after its protocol (jdwp, devtools, dap, dlv).',
  });
