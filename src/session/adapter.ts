import {
  DebugSession,
  ExitedEvent,
  InitializedEvent,
  OutputEvent,
  ProgressEndEvent,
  ProgressStartEvent,
  ProgressUpdateEvent,
  TerminatedEvent,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { failureOf, failureText } from '../core/errors.ts';
import type { ProcessEnd } from '../core/runs.ts';
import { orAfter } from './detach.ts';
import { JoinedRun } from './joinedRun.ts';
import type { Category } from './output.ts';
import { OwnedRun } from './ownedRun.ts';
import type { SessionParts } from './parts.ts';
import type { ProgressChange } from './progress.ts';
import type { View } from './runView.ts';
import { exitCodeOf, stoppedBefore } from './words.ts';

/** VS Code gives a `disconnect` two seconds, in milliseconds. */
const disconnectMs = 1500;

/** What VS Code puts into the arguments of `launch` and `attach` itself. */
type Started = DebugProtocol.AttachRequestArguments & { readonly noDebug?: boolean };

/**
 * The debug adapter of type `breakpod`, run inline: one Skaffold that it starts, or joins, and the debuggers below it. It
 * knows no code and no breakpoints of its own.
 */
export class BreakpodSession extends DebugSession {
  private readonly parts: SessionParts;
  private readonly view: View = {
    say: (line, category) => this.say(line, category),
    progress: change => this.showProgress(change),
  };
  private hasProgress = false;
  private run: OwnedRun | JoinedRun | undefined;
  private started: Started = {};
  /** The end of this session, not of a run that is restarted, was asked for. */
  private isEnding = false;
  private hasEnded = false;
  private readonly isOver = Promise.withResolvers<void>();
  /** Settles when the run that is being restarted has ended. */
  private runEnded: Promise<unknown> = Promise.resolve();
  private isRestarting = false;

  constructor(parts: SessionParts) {
    super();
    this.parts = parts;
  }

  /** The base class would end the process. */
  override shutdown(): void {}

  override dispose(): void {
    this.isEnding = true;
    this.hasEnded = true;
    this.run?.abandon();
    this.isOver.resolve();
  }

  protected override initializeRequest(
    response: DebugProtocol.InitializeResponse,
    args: DebugProtocol.InitializeRequestArguments,
  ): void {
    this.hasProgress = args.supportsProgressReporting === true;
    response.body = {
      supportsConfigurationDoneRequest: true,
      supportsTerminateRequest: true,
      supportTerminateDebuggee: true,
      supportsRestartRequest: true,
    };
    this.sendResponse(response);
    this.sendEvent(new InitializedEvent());
  }

  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: Started): void {
    this.started = args;
    this.answer(response, () => this.launch(args));
  }

  protected override attachRequest(response: DebugProtocol.AttachResponse, args: Started): void {
    this.started = args;
    this.answer(response, () => this.join(args));
  }

  protected override restartRequest(response: DebugProtocol.RestartResponse, args: { arguments?: Started }): void {
    this.answer(response, () => this.restart(args?.arguments ?? this.started));
  }

  /** Answered at once; a second one does not wait. */
  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.sendResponse(response);
    if (this.isEnding) this.kill();
    else this.end();
  }

  protected override disconnectRequest(
    response: DebugProtocol.DisconnectResponse,
    args: DebugProtocol.DisconnectArguments,
  ): void {
    this.answer(response, async () => {
      if (this.hasEnded) return;
      this.isEnding = true;
      if (!(this.run instanceof OwnedRun)) this.end();
      else if (args?.terminateDebuggee === false) this.run.leave();
      else this.run.kill();
      await orAfter(this.isOver.promise, disconnectMs, this.parts.sleep);
    });
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    response.body = { threads: [] };
    this.sendResponse(response);
  }

  protected override evaluateRequest(response: DebugProtocol.EvaluateResponse): void {
    response.body = { result: 'Select a debugger below this session to evaluate.', variablesReference: 0 };
    this.sendResponse(response);
  }

  private async launch(args: Started): Promise<void> {
    const order = this.parts.launchOf(args);
    const run = new OwnedRun(this.parts, order, this.view);
    this.run = run;
    const { ended } = await this.starting(() => run.start({ attaches: args.noDebug !== true }));
    this.watchEnd(ended);
  }

  private async join(args: Started): Promise<void> {
    const order = this.parts.joinOf(args);
    const run = new JoinedRun(this.parts, order, this.view);
    this.run = run;
    const { ended } = await this.starting(() => run.start({ attaches: args.noDebug !== true }));
    this.watchEnd(ended.then(() => 'left' as const));
  }

  private async starting<T>(start: () => Promise<T>): Promise<T> {
    try {
      if (this.isEnding) throw stoppedBefore();
      return await start();
    } catch (error) {
      this.run = undefined;
      throw error;
    }
  }

  /** Of a Skaffold of its own the same sequence as a stop, without the end of the session. */
  private async restart(args: Started): Promise<void> {
    if (this.isRestarting || this.isEnding) throw stoppedBefore();
    if (this.run instanceof JoinedRun) return this.run.restart();
    this.isRestarting = true;
    try {
      this.run?.stop();
      await this.runEnded;
      if (this.isEnding) throw stoppedBefore();
      this.started = args;
      await this.launch(args);
    } catch (error) {
      this.isEnding = true; // nothing is left that could go on
      throw error;
    } finally {
      this.isRestarting = false;
    }
  }

  private watchEnd(ended: Promise<ProcessEnd | 'left' | undefined>): void {
    this.runEnded = ended.catch((error: unknown) => this.fail(error));
    void this.whenEnded(ended);
  }

  private async whenEnded(ended: Promise<ProcessEnd | 'left' | undefined>): Promise<void> {
    const end = await ended.catch(() => undefined);
    if (this.isRestarting) return;
    this.run = undefined;
    if (end !== 'left' && !this.hasEnded) this.sendEvent(new ExitedEvent(exitCodeOf(end)));
    this.over();
  }

  private end(): void {
    this.isEnding = true;
    if (this.run) this.run.stop();
    else this.over();
  }

  private kill(): void {
    if (this.run instanceof OwnedRun) this.run.kill();
    else this.run?.stop();
  }

  private over(): void {
    if (!this.hasEnded) this.sendEvent(new TerminatedEvent());
    this.hasEnded = true;
    this.isOver.resolve();
  }

  /** Answers when the work is done, or with what went wrong, which the console has, too. */
  private answer(response: DebugProtocol.Response, work: () => Promise<void>): void {
    work().then(
      () => this.sendResponse(response),
      (error: unknown) => {
        const text = this.fail(error);
        const isOurs = failureOf(error).code !== 'stopped';
        this.sendErrorResponse(response, { id: 1, format: '{_text}', variables: { _text: text }, showUser: isOurs });
        if (this.isEnding) this.over();
      },
    );
  }

  private fail(error: unknown): string {
    const text = failureText(failureOf(error));
    this.say(text, 'stderr');
    return text;
  }

  private say(line: string, category: Category = 'console'): void {
    if (!this.hasEnded) this.sendEvent(new OutputEvent(`${line}\n`, category));
  }

  private showProgress(change: ProgressChange): void {
    if (this.hasProgress && !this.hasEnded) this.sendEvent(progressEvent(change));
  }
}

function progressEvent(change: ProgressChange): DebugProtocol.Event {
  switch (change.kind) {
    case 'start':
      return new ProgressStartEvent(change.id, change.title, change.message);
    case 'update':
      return new ProgressUpdateEvent(change.id, change.message);
    case 'end':
      return new ProgressEndEvent(change.id, change.message);
    default:
      return change satisfies never;
  }
}
