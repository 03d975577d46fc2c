import * as vscode from 'vscode';
import type { contextKeys } from './ids.ts';

type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** Sets context keys, each only when its value changes. */
export class ContextKeys {
  private readonly values = new Map<ContextKey, unknown>();

  set(key: ContextKey, value: string | boolean | undefined): void {
    if (this.values.has(key) && this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
