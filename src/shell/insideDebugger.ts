import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { attachCancelled } from '../core/attachProblems.ts';
import type { Inside } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import type { Clusters } from './clusters.ts';
import { pickProcess } from './pickProcess.ts';

/**
 * Finds the .NET debugger in a container. The extension starts a pipe: a program of ours (`pipe`) that leads to a local port,
 * behind which the debugger runs. `quoteArgs` is off, for no shell is in between.
 */
export const insideDebugger =
  (clusters: Clusters, pipe: string) =>
  async (container: Container, signal: AbortSignal): Promise<Inside> => {
    const isMicrosoftEditor = vscode.env.appName.startsWith('Visual Studio Code');
    const found = await clusters.netcoreInside(container, {
      isMicrosoftEditor,
      pick: programs => pickProcess(vscode.l10n.t('Several .NET Programs Run There: Attach To'), programs),
      signal,
    });
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
