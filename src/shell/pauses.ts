import { type Fields, fields } from './fields.ts';

const resuming: readonly unknown[] = [
  'continue',
  'reverseContinue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'goto',
  'restartFrame',
];
const resumingAll: readonly unknown[] = ['continue', 'reverseContinue'];

/** Follows the messages of one debug adapter and knows whether any of its threads is paused (Debug Adapter Protocol). */
export class Pauses {
  private readonly stopped = new Set<unknown>();
  /** Requests under way that let a thread run, by their number. */
  private readonly requests = new Map<unknown, Readonly<{ command: unknown; threadId: unknown }>>();

  private goesOn = false;

  get isPaused(): boolean {
    return this.stopped.size > 0;
  }

  /** What was paused last has gone on, and not just gone. */
  get hasGoneOn(): boolean {
    return this.goesOn && !this.isPaused;
  }

  /** A request on its way to the adapter. */
  toAdapter(message: unknown): void {
    const { type, command, seq, arguments: args } = fields(message);
    if (type === 'request' && resuming.includes(command)) {
      this.requests.set(seq, { command, threadId: fields(args)['threadId'] });
    }
  }

  /** An event or a response from the adapter. */
  fromAdapter(message: unknown): void {
    const { type, event, body, ...response } = fields(message);
    if (type === 'event') this.happened(event, fields(body));
    else if (type === 'response') this.answered(response, fields(body));
  }

  private happened(event: unknown, { threadId, reason, allThreadsContinued }: Fields): void {
    if (event === 'stopped') this.stop(threadId);
    else if (event === 'continued') this.go(threadId, allThreadsContinued !== false);
    else if (event === 'thread' && reason === 'exited') this.stopped.delete(threadId);
  }

  private answered({ request_seq: seq, success }: Fields, { allThreadsContinued }: Fields): void {
    const request = this.requests.get(seq);
    this.requests.delete(seq);
    if (!request || success !== true) return;
    this.go(request.threadId, resumingAll.includes(request.command) && allThreadsContinued !== false);
  }

  private stop(threadId: unknown): void {
    this.goesOn = false;
    this.stopped.add(threadId);
  }

  private go(threadId: unknown, isAll: boolean): void {
    this.goesOn = true;
    if (isAll) this.stopped.clear();
    else this.stopped.delete(threadId);
  }
}
