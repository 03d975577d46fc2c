import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest, notAcceptable, requestTooLarge } from './status.ts';

/** The first form of the Accept header that can be served. Throws 406. */
export function acceptOf(request: IncomingMessage): 'json' | 'table' {
  for (const entry of (request.headers.accept ?? '*/*').split(',')) {
    const [type = '', ...parameters] = entry.split(';').map(part => part.trim().toLowerCase());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const as = parameters.find(parameter => parameter.startsWith('as='));
    if (as === undefined) return 'json';
    if (as === 'as=table' && parameters.includes('v=v1')) return 'table';
  }
  throw notAcceptable();
}

const MOST_BODY_BYTES = 1 << 20;

/** The whole body of a request. Throws 413. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY_BYTES) throw requestTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A body of JSON, `{}` when there is none. Throws 400. */
export async function jsonBody(request: IncomingMessage): Promise<object> {
  return parseJson(await bodyOf(request));
}

/** Throws 400. */
export function parseJson(body: Buffer): object {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch (error) {
    throw unreadableBody((error as SyntaxError).message);
  }
  if (typeof value !== 'object' || value === null) throw unreadableBody('not an object');
  return value;
}

const unreadableBody = (reason: string) => badRequest(`couldn't get version/kind; json parse error: ${reason}`);

/** Answers with an object of the API. */
export const sendJson = (response: ServerResponse, code: number, object: object): void =>
  sendText(response, code, `${JSON.stringify(object)}\n`);

/** Answers with JSON that is already text. */
export function sendText(response: ServerResponse, code: number, body: string): void {
  const content = Buffer.from(body);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };
  response.writeHead(code, { ...headers, 'content-length': content.length }).end(content);
}
