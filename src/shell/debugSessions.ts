import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { DebugConfiguration, DebugSessions, Recipe, SessionEnd, StartOptions } from '../core/contracts.ts';
import { UserError } from '../core/errors.ts';
import { abortable } from '../lib/abortable.ts';
import { within } from '../lib/deadline.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';
import { Emitter } from '../lib/emitter.ts';
import { AdapterWords } from './adapterWords.ts';
import { bringsType, checkDebugger } from './installed.ts';
import { Pauses } from './pauses.ts';
import { asksForEnd, isRestart, isRoot, keepDebuggee, keyOf, saysEnd, sessionKey } from './sessionKey.ts';
import type { Unasked } from './unasked.ts';

/** VS Code waits as long for the answer to `disconnect`. */
const detachLimitMs = 2_000;
/** How long after its end a restarted session may take to start again. */
const restartLimitMs = 5_000;

interface Live {
  readonly id: string;
  readonly words: AdapterWords;
  /** By VS Code's session id: a debugger may have children. */
  readonly pauses: Map<string, Pauses>;
  root?: vscode.DebugSession;
  /** `start` has resolved: the session's end and pauses are told. */
  isStarted: boolean;
  isOver: boolean;
  wasPaused: boolean;
  isRestarting: boolean;
  /** Somebody has asked the adapter to end before it said that it does. */
  isEndWanted: boolean;
  restartTimer?: NodeJS.Timeout;
}

/** Whether an installed and enabled extension brings a debug type. */
export const hasType = (type: string): boolean => bringsType(type, vscode.extensions.all);

/** VS Code's debug sessions, found again by a key of ours in their configuration. */
export class VscodeDebugSessions implements DebugSessions, Disposable {
  private readonly ended = new Emitter<SessionEnd>();
  private readonly pauseChanged = new Emitter<{ sessionId: string; paused: boolean; isGone: boolean }>();
  readonly onDidEnd = this.ended.event;
  readonly onDidPause = this.pauseChanged.event;

  private readonly live = new Map<string, Live>();
  /** Sessions that others belong to, by VS Code's id. */
  private readonly owners = new Map<string, vscode.DebugSession>();
  private readonly own = new Disposables();

  private readonly unasked: Pick<Unasked, 'has' | 'forget'>;

  /** `unasked`: debuggers that the user does not want to be asked about when they are missing. */
  constructor(unasked: Pick<Unasked, 'has' | 'forget'>) {
    this.unasked = unasked;
    this.own.add(vscode.debug.onDidStartDebugSession(session => this.started(session)));
    this.own.add(vscode.debug.onDidTerminateDebugSession(session => this.terminated(session)));
    this.own.add(
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: session => this.trackerOf(session),
      }),
    );
  }

  check(recipe: Recipe): void {
    checkDebugger(recipe, vscode.extensions.all, this.unasked.has(recipe.type));
    this.unasked.forget(recipe.type);
  }

  async start(
    configuration: DebugConfiguration,
    signal: AbortSignal,
    { owner, isQuiet }: StartOptions,
  ): Promise<string> {
    const live = newLive();
    this.live.set(live.id, live);
    const starting = Promise.resolve(
      vscode.debug.startDebugging(
        folderOf(configuration),
        { ...configuration, ...(isQuiet ? { internalConsoleOptions: 'neverOpen' } : {}), [sessionKey]: live.id },
        { suppressSaveBeforeStart: true, suppressDebugView: isQuiet, ...this.below(owner) },
      ),
    );
    try {
      const isStarted = await abortable(starting, signal);
      if (!isStarted || live.isOver) throw sessionNotStarted(configuration, live.words.text);
      if (!live.root) throw sessionLost(configuration);
    } catch (error) {
      this.abandon(live, starting);
      throw error instanceof UserError || signal.aborted ? error : sessionNotStarted(configuration, error);
    }
    live.isStarted = true;
    // The caller does not know the id yet; a program that is paused already is told of right after.
    setImmediate(() => this.tellPause(live));
    return live.id;
  }

  async detach(sessionId: string): Promise<void> {
    const live = this.live.get(sessionId);
    if (live) await this.end(live);
  }

  focus(sessionId: string): void {
    const live = this.live.get(sessionId);
    if (live) void bringForward(live, this.live.size);
  }

  dispose(): void {
    for (const { restartTimer } of this.live.values()) clearTimeout(restartTimer);
    this.own.dispose();
  }

  /** A session that others may name as their owner, until it ends. */
  addOwner(session: vscode.DebugSession): void {
    this.owners.set(session.id, session);
  }

  private below(owner: string | undefined): vscode.DebugSessionOptions {
    const parentSession = owner === undefined ? undefined : this.owners.get(owner);
    return parentSession ? { parentSession } : {};
  }

  private started(session: vscode.DebugSession): void {
    const live = this.live.get(keyOf(session) ?? '');
    if (!live || !isRoot(session)) return;
    clearTimeout(live.restartTimer);
    live.isRestarting = false;
    live.isEndWanted = false;
    live.root = session;
  }

  private terminated(session: vscode.DebugSession): void {
    this.owners.delete(session.id);
    const live = this.live.get(keyOf(session) ?? '');
    if (!live || !isRoot(session)) return;
    if (live.isRestarting) live.restartTimer = setTimeout(() => this.over(live), restartLimitMs);
    else this.over(live);
  }

  private over(live: Live): void {
    live.isOver = true;
    this.live.delete(live.id);
    if (live.isStarted) this.ended.fire({ sessionId: live.id, isWanted: live.isEndWanted });
  }

  private trackerOf(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    const live = this.live.get(keyOf(session) ?? '');
    if (!live) return undefined;
    const pauses = new Pauses();
    live.pauses.set(session.id, pauses);
    let hasSaidEnd = false;
    return {
      onWillReceiveMessage: message => {
        keepDebuggee(message);
        live.isRestarting ||= isRestart(message) && isRoot(session);
        live.isEndWanted ||= asksForEnd(message) && isRoot(session) && !hasSaidEnd;
        pauses.toAdapter(message);
      },
      onDidSendMessage: message => {
        pauses.fromAdapter(message);
        hasSaidEnd ||= saysEnd(message);
        live.words.fromAdapter(message);
        this.tellPause(live);
      },
      onWillStopSession: () => {
        live.pauses.delete(session.id);
        this.tellPause(live);
      },
      // A connection that breaks is an end, too; VS Code asks for the end only then.
      onError: error => {
        hasSaidEnd = true;
        live.words.say(error.message);
      },
      onExit: () => (hasSaidEnd = true),
    };
  }

  private tellPause(live: Live): void {
    const all = [...live.pauses.values()];
    const paused = all.some(({ isPaused }) => isPaused);
    if (!live.isStarted || live.isOver || paused === live.wasPaused) return;
    live.wasPaused = paused;
    const isGone = !paused && !all.some(({ hasGoneOn }) => hasGoneOn);
    this.pauseChanged.fire({ sessionId: live.id, paused, isGone });
  }

  /** Nobody waits for the session any more: if it comes up all the same, it is ended. */
  private abandon(live: Live, starting: Promise<boolean>): void {
    const end = () => this.end(live).finally(() => this.live.delete(live.id));
    void starting.then(end, end);
    if (live.root) void this.end(live);
  }

  /** By a request of our own: `stopDebugging` asks some adapters to end the debuggee. It is the second try, under the guard. */
  private async end(live: Live): Promise<void> {
    const { root } = live;
    if (!root || live.isOver) return;
    try {
      const over = this.overOf(live);
      await within(detachLimitMs, undefined, async () => {
        await root.customRequest('disconnect', { restart: false, terminateDebuggee: false });
        await over;
      });
    } catch {
      // No answer, or one that says no: VS Code ends the session itself, within two seconds.
      if (!live.isOver) await vscode.debug.stopDebugging(root);
    }
  }

  private overOf(live: Live): Promise<void> {
    return new Promise(resolve => {
      const watching = vscode.debug.onDidTerminateDebugSession(session => {
        if (session.id !== live.root?.id) return;
        watching.dispose();
        resolve();
      });
    });
  }
}

const newLive = (): Live => ({
  id: randomUUID(),
  words: new AdapterWords(),
  pauses: new Map(),
  isStarted: false,
  isOver: false,
  wasPaused: false,
  isRestarting: false,
  isEndWanted: false,
});

/** The workspace folder of the sources, which settings and variables of the configuration refer to. */
function folderOf(configuration: DebugConfiguration): vscode.WorkspaceFolder | undefined {
  const path = configuration['cwd'] ?? configuration['localRoot'];
  const folder = typeof path === 'string' ? vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path)) : undefined;
  return folder ?? vscode.workspace.workspaceFolders?.[0];
}

/** VS Code has no call that focuses a session, but a command that goes round them. */
async function bringForward(live: Live, rounds: number): Promise<void> {
  const most = rounds + 10; // sessions of other extensions take part
  for (let i = 0; i < most && keyOf(vscode.debug.activeDebugSession) !== live.id; i++)
    await vscode.commands.executeCommand('workbench.action.debug.nextConsole');
  await vscode.commands.executeCommand('workbench.debug.callStackView.focus');
}

const sessionNotStarted = ({ type, name }: DebugConfiguration, cause: unknown): UserError =>
  new UserError('session-not-started', `The debugger "${type}" did not start the session "${name}".`, {
    cause: cause ?? 'the debugger gave no reason',
    remedy: 'Attach again; the debug console and the log of the debugger’s extension may tell more.',
  });

const sessionLost = ({ type, name }: DebugConfiguration): UserError =>
  new UserError('session-not-found', `The session "${name}" started but cannot be found again.`, {
    cause: `the extension that brings the debug type "${type}" drops unknown fields of a configuration`,
    remedy: 'Please report it with the name of that extension.',
  });
