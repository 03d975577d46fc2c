// `node .ci/start.mjs icon`: draws media/icon.png, a pod's hexagon with a breakpoint in it, without an image library.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { inRoot } from './lib/paths.ts';

const SIZE = 256;
const SAMPLES = 4; // per pixel and direction, for smooth edges

type Colour = readonly [red: number, green: number, blue: number, alpha: number];
const nothing: Colour = [0, 0, 0, 0];
const blue: Colour = [38, 84, 161, 255];
const paper: Colour = [244, 247, 252, 255];
const red: Colour = [226, 58, 48, 255];

/** Distance from the middle to the side of a regular hexagon on its point that goes through (x, y). */
const hexagonRadius = (x: number, y: number): number =>
  Math.max(Math.abs(x), Math.abs(x) / 2 + (Math.abs(y) * Math.sqrt(3)) / 2);

/** The colour at a point; the picture reaches from -1 to 1 in both directions. */
function colourAt(x: number, y: number): Colour {
  if (Math.hypot(x, y) < 0.34) return red;
  const radius = hexagonRadius(x, y);
  if (radius < 0.66) return paper;
  return radius < 0.83 ? blue : nothing;
}

function pixel(column: number, row: number): number[] {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < SAMPLES ** 2; i++) {
    const at = (cell: number, sample: number) => ((cell + (sample + 0.5) / SAMPLES) / SIZE) * 2 - 1;
    const [r, g, b, alpha] = colourAt(at(column, i % SAMPLES), at(row, Math.floor(i / SAMPLES)));
    [r * alpha, g * alpha, b * alpha, alpha].forEach((part, n) => (sum[n]! += part));
  }
  const alpha = sum[3]!;
  return [...sum.slice(0, 3).map(part => (alpha ? Math.round(part / alpha) : 0)), Math.round(alpha / SAMPLES ** 2)];
}

/** One chunk of a PNG file (PNG specification, section 5.3): length, type, data, CRC of type and data. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function header(): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(SIZE, 0);
  data.writeUInt32BE(SIZE, 4);
  data.set([8, 6, 0, 0, 0], 8); // eight bits a channel, red green blue alpha
  return data;
}

const NO_FILTER = 0;
const rows = Array.from({ length: SIZE }, (_, row) => [
  NO_FILTER,
  ...Array.from({ length: SIZE }, (__, column) => pixel(column, row)).flat(),
]);
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', header()),
  chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
writeFileSync(inRoot('media', 'icon.png'), png);
console.error(`media/icon.png: ${png.length} bytes`);
