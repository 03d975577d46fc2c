import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { DebugSession } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { eventually } from '../integration/demo/support.ts';

type Message = DebugProtocol.ProtocolMessage;

/** Speaks to an inline debug adapter as VS Code does, and keeps all that it says, in order. */
export class DapClient {
  readonly messages: Message[] = [];
  private seq = 0;
  private readonly adapter: DebugSession;

  constructor(adapter: DebugSession) {
    this.adapter = adapter;
    adapter.onDidSendMessage(message => void this.messages.push(message as Message));
  }

  /** Sends a request; the answer is waited for by `answered`. */
  send(command: string, args: unknown = {}): number {
    const request = { seq: ++this.seq, type: 'request', command, arguments: args };
    this.adapter.handleMessage(request);
    return this.seq;
  }

  answerOf(seq: number): DebugProtocol.Response | undefined {
    return this.messages.find(
      (message): message is DebugProtocol.Response =>
        message.type === 'response' && (message as DebugProtocol.Response).request_seq === seq,
    );
  }

  answered(seq: number): Promise<DebugProtocol.Response> {
    return this.eventually(`the answer to request ${seq}`, () => this.answerOf(seq));
  }

  /** Sends a request that succeeds. */
  async request(command: string, args: unknown = {}): Promise<DebugProtocol.Response> {
    const answer = await this.answered(this.send(command, args));
    assert.equal(answer.success, true, `${command}: ${answer.message}`);
    return answer;
  }

  /** What VS Code says at the start of a session. */
  async begin(request: 'launch' | 'attach', args: unknown = {}): Promise<void> {
    await this.request('initialize', { adapterID: 'breakpod', pathFormat: 'path', supportsProgressReporting: true });
    await this.request(request, args);
    await this.request('configurationDone');
  }

  events(name: string): DebugProtocol.Event[] {
    return this.messages.filter(
      (message): message is DebugProtocol.Event =>
        message.type === 'event' && (message as DebugProtocol.Event).event === name,
    );
  }

  /** Lines of the Debug Console. */
  lines(category?: string): string[] {
    return this.events('output')
      .map(({ body }) => body as DebugProtocol.OutputEvent['body'])
      .filter(body => category === undefined || body.category === category)
      .map(({ output }) => output.trimEnd());
  }

  /** Waits for a line of the Debug Console. */
  said(text: RegExp): Promise<string> {
    return this.eventually(String(text), () => this.lines().find(line => text.test(line)));
  }

  async terminated(): Promise<void> {
    await this.eventually('terminated', () => this.events('terminated')[0]);
  }

  /** Answers, events and lines of the console by name, in order: of those that a test names. */
  order(...names: readonly (string | RegExp)[]): string[] {
    const told = this.messages.map(message => {
      if (message.type === 'response') return `${(message as DebugProtocol.Response).command} answered`;
      const { event, body } = message as DebugProtocol.OutputEvent;
      return event === 'output' ? body.output.trimEnd() : event;
    });
    return told.flatMap(one => {
      const name = names.find(name => (typeof name === 'string' ? name === one : name.test(one)));
      return name === undefined ? [] : [String(name)];
    });
  }

  private async eventually<T>(what: string, look: () => T | undefined): Promise<T> {
    return eventually(what, look).catch((error: unknown) => {
      throw new Error(`${String(error)}, but got ${inspect(this.messages.slice(-30), { depth: 4 })}`);
    });
  }
}
