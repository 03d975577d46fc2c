// Does with a configuration what the real extensions do with it. JAVA_DAP is the class path of the Java debug adapter.
import * as vscode from 'vscode';

type Start = (configuration: vscode.DebugConfiguration) => vscode.DebugAdapterDescriptor;

const starts: Readonly<Record<string, Start>> = {
  // dlv speaks the Debug Adapter Protocol itself (vscode-go `goDebugFactory.ts`, for dlv-dap with a port).
  go: ({ mode, debugAdapter, port, host }) => {
    if (mode !== 'remote' || debugAdapter !== 'dlv-dap') throw new Error('only remote attach with dlv-dap is here');
    return new vscode.DebugAdapterServer(port as number, host as string);
  },
  // The adapter runs beside the program, in the container (vscode-python-debugger `adapter/factory.ts`).
  debugpy: ({ connect }) => {
    const { port, host } = connect as { port: number; host: string };
    return new vscode.DebugAdapterServer(port, host);
  },
  java: () => new vscode.DebugAdapterExecutable('java', ['-cp', process.env['JAVA_DAP']!, 'JavaDap']),
};

/** What the Python extension adds to a configuration (vscode-python-debugger `resolvers/attach.ts`). */
const pythonDefaults: vscode.DebugConfigurationProvider = {
  resolveDebugConfigurationWithSubstitutedVariables: (folder, configuration) => ({
    debugOptions: ['RedirectOutput', 'ShowReturnValue'],
    justMyCode: true,
    showReturnValue: true,
    workspaceFolder: folder?.uri.fsPath,
    clientOS: 'unix',
    ...configuration,
  }),
};

export function activate(context: vscode.ExtensionContext): void {
  for (const [type, start] of Object.entries(starts))
    context.subscriptions.push(
      vscode.debug.registerDebugAdapterDescriptorFactory(type, {
        createDebugAdapterDescriptor: ({ configuration }) => start(configuration),
      }),
    );
  context.subscriptions.push(vscode.debug.registerDebugConfigurationProvider('debugpy', pythonDefaults));
}
