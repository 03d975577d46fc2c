import * as vscode from 'vscode';
import { Disposables } from '../lib/disposable.ts';
import type { Handler } from './handler.ts';
import { type CommandId, commands } from './ids.ts';
import { report } from './report.ts';

type Handlers = Readonly<Record<CommandId, Handler>>;

/** Registers every command, wrapped once: what its handler throws becomes a message. `load` gives the handlers with the first. */
export function registerCommands(load: () => Promise<Handlers>, log: vscode.LogOutputChannel): vscode.Disposable {
  const own = new Disposables();
  let loading: Promise<Handlers> | undefined;
  const run = async (command: CommandId, id: unknown) => {
    loading ??= load();
    const handlers = await loading;
    await handlers[command](typeof id === 'string' ? id : undefined);
  };
  for (const command of Object.values(commands))
    own.add(
      vscode.commands.registerCommand(command, (id: unknown) =>
        run(command, id).catch((error: unknown) => report(error, log)),
      ),
    );
  return own;
}
