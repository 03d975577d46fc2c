import type { Recipe } from '../core/contracts.ts';
import { type Action, UserError } from '../core/errors.ts';
import { oneLine } from '../lib/plainText.ts';

/** Opens the setting in which users name debuggers of their own. */
export const recipesSetting: Action = { kind: 'openSetting', label: 'Open Setting', key: 'breakpod.recipes' };

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
      remedy: `Name its debugger in the setting breakpod.recipes: "${oneLine(runtime, 63)}": { "type": …, "configuration": … }. The port can be forwarded, too: copy the address and attach a debugger of your own.`,
      actions: [recipesSetting],
    },
  );

/** Something may listen, but nothing says what. */
export const noRuntime = (container: string, cause: string | undefined): UserError =>
  new UserError('runtime-missing', `Nothing says which debugger fits container "${container}".`, {
    cause,
    remedy:
      'Name the runtime in the annotation debug.cloud.google.com/config, or the port after its protocol (jdwp, devtools, dap, dlv).',
  });

/** Bun opens its inspector at a path that it makes up, unless it is told one. */
export const bunPathUnknown = (): UserError =>
  new UserError('bun-path-unknown', "The path of Bun's inspector is not known.", {
    cause: 'Bun makes up a path at each start and tells it in its log only',
    remedy: 'Start Bun with a path of your choice: --inspect=0.0.0.0:6499/debug.',
  });

/** Nobody but the user knows these fields. */
export const fieldsMissing = ({ runtime, label, type }: Recipe, missing: readonly string[]): UserError =>
  new UserError('recipe-incomplete', `The ${label} needs ${missing.map(name => `"${name}"`).join(', ')}.`, {
    cause: `launch configurations of type "${type}" cannot do without, and the container does not tell`,
    remedy: `Give it in the setting breakpod.recipes, as in "${runtime}": { "configuration": { "${missing[0]}": "\${localRoot}/…" } }; for debugger symbols, the file that was built on this machine.`,
    actions: [recipesSetting],
  });

/** The user's own field names a path that nothing tells. */
export const pathNotKnown = (name: string): UserError =>
  new UserError('recipe-path-unknown', `A field of the debug configuration has \${${name}}, which is not known here.`, {
    cause:
      name === 'localRoot'
        ? 'no local folder was found that holds the sources of the container'
        : 'the working directory of the container is not known',
    remedy: 'Write the path itself into the field of the setting breakpod.recipes or of launch.json.',
    actions: [recipesSetting],
  });
