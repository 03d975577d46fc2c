import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inRoot } from '../../.ci/lib/paths.ts';
import { cpuMs, forgetPeak, peakMib, residentMib } from './processUsage.ts';
import { median, ratio, type Table } from './table.ts';

/** Who reads: how many over each protocol, and how many that stop to read. */
interface Load {
  readonly name: string;
  readonly grpc: number;
  readonly http: number;
  readonly stalled: number;
}

const loads: readonly Load[] = [
  { name: '50 over HTTP', grpc: 0, http: 50, stalled: 0 },
  { name: '50 over gRPC', grpc: 50, http: 0, stalled: 0 },
  { name: '25 over each', grpc: 25, http: 25, stalled: 0 },
  { name: '25 over each, and one of each that does not read', grpc: 25, http: 25, stalled: 1 },
];

interface Figures {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly longestMs: number;
  readonly overIdleMib: number;
  readonly lost: number;
}

/** The event service with many readers, which are processes of their own. */
export async function serviceLoadBench(events: number, rounds: number): Promise<Table> {
  const all = new Map<Load, Figures[]>(loads.map(load => [load, []]));
  for (let round = 0; round < rounds; round++)
    for (const load of loads) all.get(load)!.push(await measure(load, events));
  const base = all.get(loads[0]!)!.map(({ perSecond }) => perSecond);
  return {
    title: 'The event service with many readers',
    note: `${events} debugging events, given out as fast as a replay gives them to the store; each reader is told by number whether it misses one. From the first event until every reader has the last; middle of ${rounds} rounds. CPU and memory of the service's process alone.`,
    columns: [
      'readers',
      'events/s, all readers',
      '× the first',
      'CPU µs per event',
      'longest turn (CPU) ms',
      'over idle MiB',
      'lost',
    ],
    rows: [...all].map(([{ name }, figures]) => {
      const middle = (of: keyof Figures) => median(figures.map(one => one[of]));
      return [
        name,
        Math.round(middle('perSecond')).toLocaleString('en').replaceAll(',', ' '),
        ratio(
          figures.map(({ perSecond }) => perSecond),
          base,
        ),
        ...[middle('cpuUs').toFixed(1), middle('longestMs').toFixed(1), middle('overIdleMib').toFixed(0)],
        String(Math.max(...figures.map(({ lost }) => lost))),
      ];
    }),
  };
}

async function measure({ grpc, http, stalled }: Load, events: number): Promise<Figures> {
  const server = start('serviceServer');
  const processes = [server];
  try {
    const ports = (await server.line()) as { grpc: number; http: number };
    const readers = (count: number, protocol: 'grpc' | 'http', until: number) =>
      count === 0 ? [] : [start('serviceReaders', protocol, ports[protocol], count, until)];
    const reading = [...readers(grpc, 'grpc', events), ...readers(http, 'http', events)];
    const others = [...readers(stalled, 'grpc', 0), ...readers(stalled, 'http', 0)];
    processes.push(...reading, ...others);
    for (const one of [...reading, ...others]) await one.text();
    const pid = server.process.pid!;
    const [idleMib, cpuBefore, begin] = [residentMib(pid), cpuMs(pid), performance.now()];
    forgetPeak(pid);
    server.process.stdin!.write(`${events}\n`);
    const results = (await Promise.all(reading.map(one => one.line()))) as { lost: number }[];
    const seconds = (performance.now() - begin) / 1000;
    const given = events * (grpc + http);
    const cpuUs = ((cpuMs(pid) - cpuBefore) * 1000) / given;
    const overIdleMib = peakMib(pid) - idleMib;
    server.process.stdin!.write('end\n');
    const { longestMs } = (await server.line()) as { longestMs: number };
    return {
      perSecond: given / seconds,
      cpuUs,
      longestMs,
      overIdleMib,
      lost: results.reduce((sum, { lost }) => sum + lost, 0),
    };
  } finally {
    for (const one of processes) one.process.stdin!.end();
    await Promise.all(processes.map(one => one.ended));
  }
}

/** A program beside this file, and the lines that it prints. */
function start(name: string, ...args: readonly (string | number)[]) {
  const program = inRoot('test/bench', `${name}.ts`);
  const child: ChildProcess = spawn(process.execPath, [program, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const text = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended before it had said all`);
    return value;
  };
  return {
    process: child,
    text,
    line: async (): Promise<unknown> => JSON.parse(await text()),
    ended: once(child, 'close'),
  };
}
