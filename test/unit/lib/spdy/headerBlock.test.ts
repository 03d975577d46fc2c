import assert from 'node:assert/strict';
import test from 'node:test';
import { constants, createDeflate, deflateSync } from 'node:zlib';
import { SPDY_DICTIONARY } from '../../../../src/lib/spdy/dictionary.ts';
import { HeaderBlockReader, HeaderBlockWriter, type StreamHeaders } from '../../../../src/lib/spdy/headerBlock.ts';

const pairs: StreamHeaders[] = [
  { streamtype: 'error', port: '8081', requestid: '0' },
  { streamtype: 'data', port: '8081', requestid: '0' },
  {},
  { streamtype: 'data', port: '9229', requestid: '12', ünïcode: '→' },
];

test('the dictionary is that of the protocol: length and checksum are well known', () => {
  assert.equal(SPDY_DICTIONARY.length, 1423);
  const head = deflateSync('', { dictionary: SPDY_DICTIONARY }).subarray(2, 6);
  assert.equal(head.toString('hex'), 'e3c6a7c2');
});

test('blocks that are written can be read again, one after the other', () => {
  const writer = new HeaderBlockWriter();
  const reader = new HeaderBlockReader();
  for (const headers of pairs) assert.deepEqual({ ...reader.read(writer.write(headers)) }, headers);
});

test('blocks of one compressor with the dictionary, as kubectl writes them', async () => {
  const deflate = createDeflate({ dictionary: SPDY_DICTIONARY, level: constants.Z_BEST_COMPRESSION });
  const reader = new HeaderBlockReader();
  for (const headers of Array.from({ length: 2000 }, (_, index) => ({ streamtype: 'data', port: `${index}` }))) {
    const block = await compressed(deflate, plainBlock(headers));
    assert.deepEqual({ ...reader.read(block) }, headers);
  }
});

const broken: [name: string, block: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['no deflate', Buffer.from('78bbe3c6a7c2ffffffffffff', 'hex')],
  ['a count without fields', new HeaderBlockWriter().write({}).fill(1, 10, 11)],
  ['one that grows without end', deflateSync(Buffer.alloc(1 << 24), { dictionary: SPDY_DICTIONARY })],
];
for (const [name, block] of broken)
  test(`refused: ${name}`, () => {
    assert.throws(() => new HeaderBlockReader().read(block), { name: 'SpdyProtocolError' });
  });

function plainBlock(headers: StreamHeaders): Buffer {
  const fields = Object.entries(headers).flat();
  const parts = fields.flatMap(field => [number(field.length), Buffer.from(field)]);
  return Buffer.concat([number(fields.length / 2), ...parts]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function compressed(deflate: ReturnType<typeof createDeflate>, block: Buffer): Promise<Buffer> {
  return new Promise(resolve => {
    deflate.write(block);
    deflate.flush(constants.Z_SYNC_FLUSH, () => resolve(deflate.read() as Buffer));
  });
}
