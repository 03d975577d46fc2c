import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import test, { type TestContext } from 'node:test';
import type { StreamHeaders } from '../../../../src/lib/spdy/headerBlock.ts';
import { SpdySession, type SpdySessionOptions } from '../../../../src/lib/spdy/session.ts';
import type { SpdyStream } from '../../../../src/lib/spdy/stream.ts';

interface Ends {
  readonly client: SpdySession;
  readonly server: SpdySession;
  readonly wires: readonly [Duplex, Duplex];
  /** The next stream that the server gets. */
  next(): Promise<{ stream: SpdyStream; headers: StreamHeaders }>;
}

/** Two ends of one session, in memory. */
function ends(t: TestContext, options: Partial<SpdySessionOptions> = {}): Ends {
  const wires = duplexPair();
  const waiting: ((value: { stream: SpdyStream; headers: StreamHeaders }) => void)[] = [];
  const client = new SpdySession(wires[0], { role: 'client', ...options });
  const server = new SpdySession(wires[1], {
    role: 'server',
    onStream: (stream, headers) => {
      stream.on('error', () => undefined);
      server.accept(stream);
      waiting.shift()?.({ stream, headers });
    },
  });
  t.after(() => {
    client.close();
    server.close();
  });
  return { client, server, wires, next: () => new Promise(resolve => waiting.push(resolve)) };
}

const read = async (stream: Duplex): Promise<string> => {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
};

test('a stream carries headers and bytes both ways, and ends each way by itself', async t => {
  const { client, server, next } = ends(t);
  const coming = next();
  const stream = client.open({ streamtype: 'data', port: '80' });
  stream.write('ping');
  const { stream: other, headers } = await coming;
  assert.deepEqual({ ...headers }, { streamtype: 'data', port: '80' });
  assert.equal(String((await once(other, 'data'))[0]), 'ping');
  stream.end();
  await once(other, 'end');
  other.end('late answer');
  assert.equal(await read(stream), 'late answer');
  assert.equal(client.streamCount, 0);
  assert.equal(server.streamCount, 0);
});

test('a stream that is opened ended sends nothing and can be read', async t => {
  const { client, next } = ends(t);
  const coming = next();
  const stream = client.open({ streamtype: 'error' }, { ended: true });
  const { stream: other } = await coming;
  assert.equal(await read(other.resume()), '');
  other.end('text');
  assert.equal(await read(stream), 'text');
});

test('destroying a stream resets the other end', async t => {
  const { client, server, next } = ends(t);
  const coming = next();
  const stream = client.open({});
  const { stream: other } = await coming;
  stream.destroy();
  const [error] = (await once(other, 'error')) as [Error];
  assert.equal(error.name, 'StreamResetError');
  assert.equal(server.streamCount, 0);
});

test('an end that is held comes when it is released', async t => {
  const { client, next } = ends(t);
  const coming = next();
  const stream = client.open({});
  stream.holdEnd();
  let ended = false;
  stream.on('end', () => (ended = true));
  stream.resume();
  const held = once(stream, 'endHeld');
  (await coming).stream.end();
  await held;
  assert.equal(ended, false);
  stream.releaseEnd();
  await once(stream, 'end');
});

test('pings are answered both ways', async t => {
  const { client, server } = ends(t);
  assert.ok((await client.ping()) >= 0);
  assert.ok((await server.ping()) >= 0);
});

test('a reader that stalls stops the session, and starts it again', async t => {
  const { client, next } = ends(t, { streamBufferBytes: 1000 });
  const coming = next();
  const stream = client.open({});
  const { stream: other } = await coming;
  other.write(Buffer.alloc(5000));
  while (!client.congested) await new Promise(setImmediate);
  const answer = client.ping();
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await answer;
  assert.equal(bytes, 5000);
  assert.equal(client.congested, false);
});

test('destroying a stalled stream lets the session go on', async t => {
  const { client, next } = ends(t, { streamBufferBytes: 1000 });
  const coming = next();
  const stream = client.open({});
  (await coming).stream.write(Buffer.alloc(5000));
  while (!client.congested) await new Promise(setImmediate);
  stream.destroy();
  await client.ping();
});

test('stream IDs run out: no more streams, the open ones go on', async t => {
  const { client } = ends(t, { firstStreamId: 0x7fff_ffff - 2 });
  assert.ok(client.canOpen(2));
  client.open({});
  assert.ok(client.canOpen(1));
  assert.ok(!client.canOpen(2));
  client.open({});
  assert.ok(!client.canOpen(1));
  assert.throws(() => client.open({}), /no more streams/);
  await client.ping();
});

test('after GOAWAY no more streams', async t => {
  const { client, server } = ends(t);
  const closed = new Promise(resolve => client.onClose(resolve));
  server.close();
  await closed;
  assert.ok(!client.canOpen(1));
});

test('a lost wire destroys the streams with the reason, and pings are rejected', async t => {
  const { client, wires } = ends(t);
  const stream = client.open({});
  const failed = once(stream, 'error');
  const unanswered = assert.rejects(client.ping());
  wires[0].destroy(new Error('cable pulled'));
  assert.equal(((await failed)[0] as Error).message, 'cable pulled');
  await unanswered;
  await assert.rejects(client.ping(), /closed/);
  assert.equal(client.streamCount, 0);
});

test('bytes that came with the upgrade are read first', async t => {
  const [left, right] = duplexPair();
  const wire = Buffer.from('800300060000000400000002', 'hex');
  const session = new SpdySession(left, { role: 'client', head: wire });
  t.after(() => session.close());
  const [echoed] = (await once(right, 'data')) as [Buffer];
  assert.equal(echoed.toString('hex'), wire.toString('hex'));
});
