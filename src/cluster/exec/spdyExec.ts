import type { Duplex } from 'node:stream';
import { SpdySession } from '../../lib/spdy/session.ts';
import type { SpdyStream } from '../../lib/spdy/stream.ts';
import { openSpdy } from '../forward/openSpdy.ts';
import type { DialTarget } from '../forward/request.ts';
import { type ExecCall, type ExecChannel, MOST_STATUS_CHARS, queryOf } from './channel.ts';

/** Of the streams of a program, over SPDY (client-go `tools/remotecommand`). */
const PROTOCOL = 'v4.channel.k8s.io';

/** A program by SPDY: one stream for each of its own, and one for how it ends. Needs the right `create` only. */
export const spdyExec = (target: DialTarget, call: ExecCall, signal: AbortSignal): Promise<ExecChannel> =>
  openSpdy(target, { subresource: 'exec', protocol: PROTOCOL, query: queryOf(call) }, signal, (socket, head) =>
    channelOver(socket, head, call.stdin ?? false),
  );

function channelOver(socket: Duplex, head: Buffer, hasInput: boolean): ExecChannel {
  const session = new SpdySession(socket, { role: 'client', head });
  const open = (streamtype: string, options?: { ended: boolean }) => {
    const stream = session.open({ streamtype }, options);
    stream.on('error', () => undefined); // the connection was lost: `outcome` tells
    return stream;
  };
  const streams = {} as { errors: SpdyStream; stdin?: SpdyStream; stdout: SpdyStream; stderr: SpdyStream };
  session.together(() => {
    streams.errors = open('error', { ended: true });
    if (hasInput) streams.stdin = open('stdin');
    streams.stdout = open('stdout');
    streams.stderr = open('stderr');
  });
  const { errors, ...others } = streams;
  return { ...others, outcome: statusOf(errors), close: () => session.close() };
}

function statusOf(errors: SpdyStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let lost: Error | undefined;
    errors.setEncoding('utf8').on('data', (piece: string) => {
      if (text.length < MOST_STATUS_CHARS) text += piece;
    });
    errors.on('error', (error: Error) => (lost = error));
    errors.on('end', () => resolve(text));
    errors.on('close', () => (text ? resolve(text) : reject(lost ?? new Error('the connection was closed'))));
  });
}
