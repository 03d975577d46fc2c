import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './forwardLoad.ts';
import { type ForwardBenchTarget, type Programs, type Way, waysOf, withForward } from './forwardWays.ts';
import { median, ratio, type Table } from './table.ts';

/** What is run, and how often. */
export interface StallBenchOptions extends Programs {
  readonly target: ForwardBenchTarget;
  readonly rounds: number;
}

/** Connections that are open when the stalled one begins, and such that are made after it. */
const OPEN = 6;
const NEW = 10;
const MIB = 5;
/** More than any buffers on the way hold. */
const STALLED_MIB = 500;
const LIMIT_MS = 4000;

interface Figures {
  /** The transfers of all open ones together. */
  readonly aloneMs: number;
  /** Of those that came to an end. */
  readonly besideMs: number;
  readonly goOn: number;
  readonly answered: number;
  readonly firstMs: number;
}

/** One connection asks for much and reads nothing: what of the others in the same forward? */
export async function stallBench(options: StallBenchOptions): Promise<Table> {
  const { rounds, target } = options;
  const ways = waysOf(options);
  const all = new Map<Way, Figures[]>(ways.map(way => [way, []]));
  for (let round = 0; round < rounds; round++)
    for (const way of round % 2 ? ways.toReversed() : ways) all.get(way)!.push(await measure(way, target));
  return {
    title: 'A neighbour that does not read',
    note:
      `${OPEN} open connections of one forward get ${MIB} MiB each, before and while another one has asked for ` +
      `${STALLED_MIB} MiB and reads nothing; then ${NEW} new ones. Blocked is what has not ended after ` +
      `${LIMIT_MS / 1000} s. Middle of ${rounds} rounds. Budget: nothing is blocked.`,
    columns: [
      '',
      'alone ms',
      'beside it ms',
      'beside × alone',
      'open ones that go on',
      'new ones',
      'their first byte ms',
    ],
    rows: ways.map(way => rowOf(way.title, all.get(way)!)),
  };
}

const measure = (way: Way, target: ForwardBenchTarget): Promise<Figures> =>
  withForward(way, target, async ({ port }) => {
    const open = Array.from({ length: OPEN }, () => net.connect(port, '127.0.0.1'));
    const stalled = net.connect(port, '127.0.0.1').pause();
    for (const socket of [...open, stalled]) socket.on('error', () => undefined); // a blocked one may be reset
    try {
      await Promise.all(open.map(socket => ask(socket, 1, LIMIT_MS)));
      const alone = await transfers(open);
      stalled.write(`GET /${STALLED_MIB} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await delay(1000);
      const beside = await transfers(open);
      const fresh = await Promise.all(Array.from({ length: NEW }, () => firstByte(port)));
      const answered = fresh.filter(ms => ms !== undefined);
      return {
        aloneMs: Math.max(...alone),
        besideMs: beside.length > 0 ? Math.max(...beside) : Number.NaN,
        goOn: beside.length,
        answered: answered.length,
        firstMs: median(answered),
      };
    } finally {
      for (const socket of [...open, stalled]) socket.destroy();
    }
  });

/** Milliseconds of those that came to an end. */
async function transfers(sockets: readonly net.Socket[]): Promise<number[]> {
  const ended = await Promise.allSettled(sockets.map(socket => ask(socket, MIB, LIMIT_MS)));
  return ended
    .filter(({ status }) => status === 'fulfilled')
    .map(result => (result as { value: { all: number } }).value.all);
}

async function firstByte(port: number): Promise<number | undefined> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  try {
    return (await ask(socket, 0, LIMIT_MS)).first;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

const ms = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(value < 20 ? 1 : 0));

function rowOf(title: string, rounds: readonly Figures[]): readonly string[] {
  const of = (name: keyof Figures) => rounds.map(figures => figures[name]);
  const whole = rounds.filter(({ goOn }) => goOn > 0);
  return [
    title,
    ms(median(of('aloneMs'))),
    ms(median(whole.map(({ besideMs }) => besideMs))),
    whole.length > 0
      ? ratio(
          whole.map(({ besideMs }) => besideMs),
          whole.map(({ aloneMs }) => aloneMs),
        )
      : '–',
    `${median(of('goOn'))} of ${OPEN}`,
    `${median(of('answered'))} of ${NEW}`,
    ms(median(of('firstMs'))),
  ];
}
