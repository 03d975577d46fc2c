import * as vscode from 'vscode';
import { JavaAdapter } from './adapter.ts';

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('java', {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new JavaAdapter()),
    }),
  );
}
