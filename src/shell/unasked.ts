import * as vscode from 'vscode';
import type { Disposable } from '../lib/disposable.ts';
import { dontAskCommand } from './ids.ts';

const key = 'unaskedDebuggers';

/** Debug types for which the user does not want to be asked again, in all windows; forgotten once the debugger is there. */
export class Unasked implements Disposable {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly command: vscode.Disposable;

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.memory = memory;
    this.command = vscode.commands.registerCommand(dontAskCommand, (type: unknown) => {
      if (typeof type === 'string') return this.set([...new Set([...this.types, type])]);
    });
  }

  has(type: string): boolean {
    return this.types.includes(type);
  }

  /** The debugger is installed: when it is gone again, that is news. */
  forget(type: string): void {
    if (this.has(type)) void this.set(this.types.filter(other => other !== type));
  }

  dispose(): void {
    this.command.dispose();
  }

  private get types(): readonly string[] {
    return this.memory.get<readonly string[]>(key, []);
  }

  private set(types: readonly string[]): Thenable<void> {
    return this.memory.update(key, types);
  }
}
