import * as vscode from 'vscode';
import type { Application } from '../../core/application.ts';
import { UserError } from '../../core/errors.ts';
import { type RunRow, runRowsOf } from '../../core/runRows.ts';
import { rowsOf } from '../../core/selectors.ts';
import type { SkaffoldControl } from '../../skaffold/control.ts';
import type { Handler } from '../handler.ts';
import { commands } from '../ids.ts';
import { debugType } from '../launch/launchOptions.ts';
import { runOfId } from '../nodes.ts';
import { messageText } from '../plain.ts';
import { runName, runWord } from '../runWords.ts';
import type { SkaffoldSessions } from './sessions.ts';
import { switchTriggers } from './triggers.ts';

/** What the commands on a Skaffold put to work. */
export interface RunCommandParts {
  readonly app: Pick<Application, 'store'>;
  readonly skaffold: SkaffoldSessions;
}

type RunCommand =
  | 'debugSkaffold'
  | 'joinSkaffold'
  | 'stopSkaffold'
  | 'applyNow'
  | 'buildNow'
  | 'syncNow'
  | 'deployNow'
  | 'autoOn'
  | 'autoOff'
  | 'dismissRun';

const { t } = vscode.l10n;

/** The commands on a Skaffold; without the id of a row they ask which one is meant, if there is a choice. */
export function runHandlersOf(parts: RunCommandParts): Readonly<Record<(typeof commands)[RunCommand], Handler>> {
  const { store } = parts.app;
  const onRun =
    (accepts: (run: RunRow) => boolean, act: (run: RunRow) => Promise<void>): Handler =>
    async id => {
      const all = runRowsOf(store.state, rowsOf(store.state));
      const source = id === undefined ? undefined : runOfId(id);
      const run = id === undefined ? await pickRun(all.filter(accepts)) : all.find(one => one.source === source);
      if (!run && id !== undefined) throw runGone();
      if (run) await act(run);
    };
  const onControl = (act: (control: SkaffoldControl) => Promise<string>): Handler =>
    onRun(isFollowed, async run => {
      const { controlOf } = await import('../../skaffold/later.ts');
      const said = await act(controlOf(portOf(parts, run)));
      vscode.window.setStatusBarMessage(messageText(said), 10_000);
    });
  return {
    [commands.debugSkaffold]: startDebugging,
    [commands.joinSkaffold]: onRun(isJoinable, run => join(parts, run)),
    [commands.stopSkaffold]: onRun(isFollowed, run => stop(parts, run)),
    [commands.applyNow]: onControl(control => asked(control.devloop(), t('Skaffold applies what has changed.'))),
    [commands.buildNow]: onControl(control => asked(control.build(), t('Skaffold builds what has changed.'))),
    [commands.syncNow]: onControl(control => asked(control.sync(), t('Skaffold copies the files that have changed.'))),
    [commands.deployNow]: onControl(control => asked(control.deploy(), t('Skaffold deploys what has changed.'))),
    [commands.autoOn]: onControl(control => switchAll(control, true)),
    [commands.autoOff]: onControl(control => switchAll(control, false)),
    [commands.dismissRun]: onRun(isOver, async ({ source }) => store.apply({ kind: 'dismissed', source })),
  };
}

const isJoinable = ({ state }: RunRow) => state.kind === 'offered';
const isOver = ({ state }: RunRow) =>
  state.kind === 'ended' || state.kind === 'lost' || (state.kind === 'failed' && state.isOver);
const isFollowed = (run: RunRow) => !isJoinable(run) && !isOver(run);

const runGone = () =>
  new UserError('run-gone', 'That Skaffold is gone.', { remedy: 'Start it again, by F5 or in a terminal.' });

/** Asks only where there is a choice. */
async function pickRun(runs: readonly RunRow[]): Promise<RunRow | undefined> {
  if (runs.length === 0) throw noSuchRun();
  if (runs.length === 1) return runs[0];
  const items = runs.map(run => ({ label: runName(run, t), description: runWord(run, t), run }));
  return (await vscode.window.showQuickPick(items, { title: t('Which Skaffold?') }))?.run;
}

const noSuchRun = () =>
  new UserError('no-run', 'There is no Skaffold for which this can be done.', {
    remedy: 'Start one by F5, or join one that runs, from its row in the view.',
  });

function portOf({ app }: RunCommandParts, { source }: RunRow): number {
  const port = app.store.state.skaffold.get(source)?.about?.port;
  if (port === undefined) throw runGone();
  return port;
}

/** As F5 does without a launch.json. */
async function startDebugging(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  await vscode.debug.startDebugging(folder, { type: debugType, request: 'launch', name: t('Skaffold') });
}

async function join(parts: RunCommandParts, run: RunRow): Promise<void> {
  const name = run.name ?? t('Skaffold');
  const configuration = { type: debugType, request: 'attach', name, port: portOf(parts, run) };
  await vscode.debug.startDebugging(undefined, configuration);
}

/** Through its debug session, which detaches the debuggers first and keeps the last events. */
async function stop({ skaffold }: RunCommandParts, { source }: RunRow): Promise<void> {
  const session = skaffold.sessionOf(source);
  if (!session) throw runGone();
  await vscode.debug.stopDebugging(session);
}

async function asked(call: Promise<unknown>, said: string): Promise<string> {
  await call;
  return said;
}

async function switchAll(control: SkaffoldControl, on: boolean): Promise<string> {
  const changed = await switchTriggers(control, on);
  if (on) return changed.length > 0 ? t('Skaffold applies changes by itself.') : t('Skaffold did so already.');
  return changed.length > 0 ? t('Skaffold applies changes on request only.') : t('Skaffold did so already.');
}
