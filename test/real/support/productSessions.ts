// Debug sessions without VS Code: a client of the Node inspector for each.
import type { DebugConfiguration, DebugSessions, SessionEnd } from '../../../src/core/contracts.ts';
import { Emitter } from '../../../src/lib/emitter.ts';
import { InspectorClient } from '../../support/inspectorClient.ts';

/** Real sessions on containers of the runtime `nodejs`, by the inspector's own protocol; a session ends with its socket. */
export class InspectorSessions implements DebugSessions {
  private readonly ended = new Emitter<SessionEnd>();
  private readonly paused = new Emitter<{ sessionId: string; paused: boolean }>();
  readonly onDidEnd = this.ended.event;
  readonly onDidPause = this.paused.event;
  private readonly clients = new Map<string, InspectorClient>();
  private count = 0;

  check(): void {
    // The inspector's client is built into Node.
  }

  async start({ address, port, type }: DebugConfiguration, signal: AbortSignal): Promise<string> {
    if (type !== 'node') throw new Error(`no test client for the type ${type}`);
    const client = await InspectorClient.open(String(address), Number(port), signal);
    const id = `inspector-${(this.count += 1)}`;
    this.clients.set(id, client);
    client.onPause = paused => this.paused.fire({ sessionId: id, paused });
    client.onClose = () => {
      this.ended.fire({ sessionId: id, isWanted: !this.clients.delete(id) });
    };
    return id;
  }

  async detach(sessionId: string): Promise<void> {
    const client = this.clients.get(sessionId);
    this.clients.delete(sessionId);
    client?.close();
    await client?.closed;
  }

  focus(): void {
    // Nothing to bring forward.
  }

  /** The client behind a session, for what a person would do in the debugger. */
  client(sessionId: string): InspectorClient {
    const client = this.clients.get(sessionId);
    if (!client) throw new Error(`no session ${sessionId}`);
    return client;
  }

  dispose(): void {
    for (const client of this.clients.values()) client.close();
  }
}
