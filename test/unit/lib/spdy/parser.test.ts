import assert from 'node:assert/strict';
import test from 'node:test';
import {
  CANCEL,
  dataHead,
  FIN,
  goAway,
  ping,
  rstStream,
  synReply,
  synStream,
} from '../../../../src/lib/spdy/frames.ts';
import { FrameParser } from '../../../../src/lib/spdy/parser.ts';

const data = (id: number, text: string, flags = 0) =>
  Buffer.concat([dataHead(id, Buffer.byteLength(text), flags), Buffer.from(text)]);

const stream = Buffer.concat([
  synStream(1, FIN, Buffer.from('block')),
  synReply(1, Buffer.from('reply')),
  data(1, 'hello'),
  data(3, ''),
  data(1, 'x'.repeat(1000)),
  ping(7),
  data(3, 'end', FIN),
  data(1, '', FIN),
  rstStream(5, CANCEL),
  goAway(9),
]);

/** What was parsed; pieces of one data frame joined, since they depend on the cuts. */
function parse(chunks: readonly Buffer[]): string[] {
  const found: string[] = [];
  let text = '';
  const parser = new FrameParser({
    onData: (id, piece, flags, last) => {
      text += piece.toString();
      if (!last) return;
      found.push(`data ${id} flags ${flags}: ${text}`);
      text = '';
    },
    onControl: (type, flags, body) => void found.push(`control ${type} flags ${flags}: ${body.toString('hex')}`),
  });
  for (const chunk of chunks) parser.feed(chunk);
  return found;
}

const whole = parse([stream]);

test('all frames of a stream', () => {
  assert.equal(whole.length, 10);
  assert.deepEqual(whole.slice(2, 4), ['data 1 flags 0: hello', 'data 3 flags 0: ']);
  assert.equal(whole[5], 'control 6 flags 0: 00000007');
  assert.equal(whole[8], 'control 3 flags 0: 0000000500000005');
});

test('the same frames, byte by byte', () => {
  assert.deepEqual(parse([...stream].map(byte => Buffer.from([byte]))), whole);
});

test('the same frames, however the stream is cut', () => {
  let seed = 1;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return seed % most;
  };
  for (let round = 0; round < 500; round++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < stream.length;) {
      const end = at + random(round % 2 ? 30 : 400);
      chunks.push(stream.subarray(at, end));
      at = end;
    }
    assert.deepEqual(parse(chunks), whole, `seed ${seed}`);
  }
});

test('payload of data frames is passed on uncopied', () => {
  const frame = data(1, 'hello');
  const pieces: Buffer[] = [];
  new FrameParser({ onData: (_id, piece) => void pieces.push(piece), onControl: () => undefined }).feed(frame);
  assert.equal(pieces[0]?.buffer, frame.buffer);
});

const garbage: [name: string, bytes: Buffer][] = [
  ['another version', Buffer.from('8002000600000004', 'hex')],
  ['a control frame of 16 MiB', Buffer.from('8003000100ffffff', 'hex')],
  ['all ones', Buffer.alloc(8, 0xff)],
];
for (const [name, bytes] of garbage)
  test(`refused: ${name}`, () => assert.throws(() => parse([bytes]), { name: 'SpdyProtocolError' }));
