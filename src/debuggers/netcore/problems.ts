import type { ContainerRef } from '../../core/contracts.ts';
import { UserError } from '../../core/errors.ts';

const nameOf = ({ namespace, pod, container }: ContainerRef) => `${namespace}/${pod}:${container}`;

/** .NET's debugger runs in the container, and none is there. */
export const debuggerMissing = (at: ContainerRef, places: readonly string[]): UserError =>
  new UserError('netcore-debugger-missing', `There is no .NET debugger in ${nameOf(at)}.`, {
    cause: `it would be ${places.join(' or ')}`,
    remedy:
      'Start it with "skaffold debug", which brings vsdbg, or put vsdbg or netcoredbg into the image; a path of your own goes into breakpod.recipes, "netcore", "configuration", as "pipeTransport".',
  });

/** Its licence holds it to Microsoft's own editors. */
export const vsdbgRefuses = (at: ContainerRef, path: string): UserError =>
  new UserError('netcore-vsdbg-refuses', `Microsoft's .NET debugger in ${nameOf(at)} does not run with this editor.`, {
    cause: `${path} works with Visual Studio and Microsoft's VS Code only`,
    remedy: 'Put netcoredbg into the image, as /netcoredbg/netcoredbg, and install an extension that uses it.',
  });
