import { skaffoldClient } from './client.ts';
import { Connection } from './connection.ts';
import { textOf } from '../proto/fields.ts';
import { isUnimplemented } from './problems.ts';

/** What a container has printed: whole lines as it printed them, with whatever they hold. */
export type Printed = Readonly<{ pod: string; container: string; text: string }>;

/** Why no more comes: Skaffold is gone, it is older than this part of its API, or nobody wants more. */
export type LogEnd = 'over' | 'not-there' | 'closed';

/** A log that is being read. */
export interface ReadLog {
  /** Resolves when nothing more comes; never rejects. */
  readonly ended: Promise<LogEnd>;
  /** Nobody wants more; the stream ends as soon as Skaffold can bear it. */
  close(): void;
}

/** Reads what the containers of the Skaffold at this RPC port print: what they have since its present iteration began, then live. */
export function readApplicationLog(port: number, onPrinted: (printed: Printed) => void): ReadLog {
  const closing = Promise.withResolvers<'closed'>();
  return { ended: read(port, onPrinted, closing.promise), close: () => closing.resolve('closed') };
}

async function read(port: number, onPrinted: (printed: Printed) => void, closing: Promise<'closed'>): Promise<LogEnd> {
  const client = await skaffoldClient(port);
  let isClosed = false;
  const connection = new Connection({ streams: [client.applicationLog] }, ({ kind, body }) => {
    if (kind !== 'applicationLogEvent' || isClosed) return;
    const [pod, container, text] = ['podName', 'containerName', 'message'].map(name => textOf(body, name));
    onPrinted({ pod: pod!, container: container!, text: text! });
  });
  const ends = await Promise.race([connection.ended, closing]);
  isClosed = true;
  if (ends === 'closed') await connection.cancel();
  client.close();
  if (ends === 'closed') return ends;
  return ends.every(isUnimplemented) ? 'not-there' : 'over';
}
