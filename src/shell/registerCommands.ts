import * as vscode from 'vscode';
import { Disposables } from '../lib/disposable.ts';
import type { Handler } from './handler.ts';
import type { CommandId } from './ids.ts';
import { report } from './report.ts';

/** Registers every handler, wrapped once: what it throws becomes a message. */
export function registerCommands(
  handlers: Readonly<Record<CommandId, Handler>>,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const own = new Disposables();
  for (const [id, handler] of Object.entries(handlers))
    own.add(
      vscode.commands.registerCommand(id, (id: unknown) =>
        handler(typeof id === 'string' ? id : undefined).catch((error: unknown) => report(error, log)),
      ),
    );
  return own;
}
