import * as vscode from 'vscode';
import type { DebugConfiguration, Fields } from '../core/contracts.ts';
import { UserError } from '../core/errors.ts';
import type { Row } from '../core/selectors.ts';
import { mappedIn } from '../debuggers/mappedPaths.ts';
import type { Addresses } from './addresses.ts';
import { labelText } from './plain.ts';
import { cloudCodeIn, fromCloudCode } from './launch/cloudCode.ts';
import { launchText } from './launchText.ts';

/** What a click on a row would start, when its port is forwarded to this one. */
export type LaunchFor = (row: Row, localPort: number) => Promise<DebugConfiguration>;

const forwardLimitMs = 20_000;

/** Writes what a click would start into launch.json of the folder with the sources, and shows it there; comments stay. */
export async function writeLaunch(row: Row, addresses: Addresses, launchFor: LaunchFor): Promise<void> {
  const title = vscode.l10n.t('Writing a launch configuration for {0}', labelText(row.container.container));
  const document = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
    const address = await addresses.of(row, AbortSignal.timeout(forwardLimitMs));
    const configuration = await launchFor(row, Number(address.replace(/^.*:/, '')));
    return write(folderOf(configuration), configuration);
  });
  await vscode.window.showTextDocument(document);
}

/** Takes the launch configurations of Cloud Code over as ones of our own, beside them. Throws `UserError` when there are none. */
export async function importCloudCode(): Promise<void> {
  let count = 0;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const configurations = vscode.workspace.getConfiguration('launch', folder.uri).inspect('configurations');
    const found = cloudCodeIn(configurations?.workspaceFolderValue ?? configurations?.workspaceValue);
    for (const one of found) {
      const document = await write(folder, fromCloudCode(one));
      if (count++ === 0) await vscode.window.showTextDocument(document);
    }
  }
  if (count === 0) throw noCloudCode();
}

type Named = Readonly<{ name: string }> & Fields;

async function write(folder: vscode.WorkspaceFolder, configuration: Named): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json');
  const at = { folder: folder.uri.fsPath, file: uri.fsPath };
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!isThere)
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(launchText(undefined, configuration, at)));
  const document = await vscode.workspace.openTextDocument(uri);
  if (!isThere) return document;
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(uri, all, launchText(document.getText(), configuration, at));
  await vscode.workspace.applyEdit(edit);
  await document.save();
  return document;
}

function folderOf(configuration: DebugConfiguration): vscode.WorkspaceFolder {
  const [mapped] = mappedIn(configuration);
  const own = mapped && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(mapped.local));
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw noFolder();
  return folder;
}

const noFolder = (): UserError =>
  new UserError('no-folder', 'No folder is open, so there is no launch.json to write to.', {
    remedy: 'Open the folder of the program.',
  });

const noCloudCode = (): UserError =>
  new UserError('no-cloud-code', 'There is no launch configuration of Cloud Code to import.', {
    cause: 'no launch.json of the open folders has one of type "cloudcode.kubernetes" with request "launch"',
    remedy:
      'Open the folder with that launch.json. What attaches to a pod needs no configuration: click it in the view.',
  });
