// Skaffold's events by HTTP, as any client reads them: an oracle beside our own client, which uses gRPC.
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A container as Skaffold names it (Skaffold `proto/v1`, DebuggingContainerEvent). */
export interface NamedContainer {
  readonly status: 'Started' | 'Terminated';
  readonly podName: string;
  readonly containerName: string;
  readonly namespace: string;
  readonly artifact: string;
  readonly runtime: string;
  readonly debugPorts: Readonly<Record<string, number>>;
}

/** As much of an event as is looked at. In v2 the fields of `event` stand beside the timestamp, and there is no entry. */
export interface StreamedEvent {
  readonly timestamp: string;
  readonly entry: string;
  readonly event: {
    readonly debuggingContainerEvent?: NamedContainer;
    readonly devLoopEvent?: { readonly iteration: number; readonly status: string };
  };
}

/** One of the streams, from the first answer until the process ends, which cuts it. */
export class EventStream {
  /** As they came, one JSON object each. */
  readonly lines: string[] = [];
  /** Resolves with the first answer, or when there will be none. */
  readonly begun: Promise<void>;
  /** Resolves when no more can come. */
  readonly ended: Promise<void>;

  /** `over` aborts when Skaffold has ended. Reads without a pause: a reader that stops makes Skaffold stop. */
  constructor(url: string, over: AbortSignal) {
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.ended = this.read(url, over, begun.resolve);
  }

  get events(): readonly StreamedEvent[] {
    return this.lines.map(line => {
      const { result } = JSON.parse(line) as { result: StreamedEvent };
      return { ...result, event: result.event ?? result };
    });
  }

  /** The containers that have been named, in their order. */
  get named(): readonly NamedContainer[] {
    return this.events.flatMap(({ event }) => event.debuggingContainerEvent ?? []);
  }

  private async read(url: string, over: AbortSignal, begin: () => void): Promise<void> {
    while (!over.aborted) {
      const response = await answerOf(url).catch(() => undefined); // it does not listen yet
      if (response) {
        begin();
        return this.keep(response);
      }
      await delay(100);
    }
    begin();
  }

  private async keep(response: IncomingMessage): Promise<void> {
    let rest = '';
    response.setEncoding('utf8');
    try {
      for await (const text of response as AsyncIterable<string>) {
        const parts = (rest + text).split('\n');
        rest = parts.pop()!;
        this.lines.push(...parts.filter(Boolean));
      }
    } catch {
      // Cut at the end of the process.
    }
  }
}

const answerOf = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject));
