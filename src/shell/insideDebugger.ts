import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { attachCancelled } from '../core/attachProblems.ts';
import type { Inside } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import type { DotnetProcess } from '../debuggers/netcore/inside.ts';
import type { Clusters } from './clusters.ts';
import { labelText } from './plain.ts';

/**
 * Finds the .NET debugger in a container. The extension starts a pipe: a program of ours (`pipe`) that leads to a local port,
 * behind which the debugger runs. `quoteArgs` is off, for no shell is in between.
 */
export const insideDebugger =
  (clusters: Clusters, pipe: string) =>
  async (container: Container, signal: AbortSignal): Promise<Inside> => {
    const isMicrosoftEditor = vscode.env.appName.startsWith('Visual Studio Code');
    const found = await clusters.netcoreInside(container, { isMicrosoftEditor, pick, signal });
    if (!found) throw attachCancelled();
    const { path, pid } = found;
    return {
      command: [path, '--interpreter=vscode'],
      fieldsAt: ({ port }) => ({
        processId: String(pid),
        pipeTransport: {
          pipeProgram: process.execPath,
          pipeArgs: [pipe, String(port)],
          pipeCwd: dirname(pipe),
          pipeEnv: { ELECTRON_RUN_AS_NODE: '1' },
          debuggerPath: path,
          quoteArgs: false,
        },
      }),
    };
  };

async function pick(programs: readonly DotnetProcess[]): Promise<DotnetProcess | undefined> {
  const items = programs.map(program => ({
    program,
    label: labelText(program.command.join(' ')),
    description: vscode.l10n.t('process {0}', program.pid),
  }));
  const title = vscode.l10n.t('Several .NET Programs Run There: Attach To');
  return (await vscode.window.showQuickPick(items, { title }))?.program;
}
