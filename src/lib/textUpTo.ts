import type { Readable } from 'node:stream';

/** Text of a stream, no more than about `most` characters of it: what sends more is not what was asked for. */
export async function textUpTo(stream: Readable, most: number): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const part of stream) {
    text += part as string;
    if (text.length > most) break;
  }
  return text;
}
