// Readers of an event service: `PROTOCOL PORT COUNT EVENTS`. Prints a line when all have begun, another when each has got its
// events; what is not in order, or comes twice, is counted as lost. With EVENTS 0 they begin, and read nothing more.
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { credentials } from '@grpc/grpc-js';
import { type LogEntry, SkaffoldServiceClient } from '../../src/proto/gen/v1.ts';

const [protocol, ...numbers] = process.argv.slice(2);
const [port, count, events] = numbers.map(Number) as [number, number, number];

/** Calls for the line of each event; resolves when the first item is there. */
type Open = (onEntry: (entry: string) => void) => Promise<Readable>;

const openHttp: Open = async onEntry => {
  const call = request({ host: '127.0.0.1', port, path: '/v1/events', agent: false }).end();
  const [response] = (await once(call, 'response')) as [Readable];
  createInterface(response).on('line', line => onEntry((JSON.parse(line) as { result: LogEntry }).result.entry));
  return response;
};

const openGrpc: Open = async onEntry => {
  const stream = new SkaffoldServiceClient(`127.0.0.1:${port}`, credentials.createInsecure()).events({});
  stream.on('data', ({ entry }: LogEntry) => onEntry(entry));
  await once(stream, 'data');
  return stream;
};

let lost = 0;
let left = count;
const open = protocol === 'http' ? openHttp : openGrpc;
const readers = Array.from({ length: count }, () => {
  let next = 1;
  return open(entry => {
    const number = Number(/^event (\d+)$/.exec(entry)?.[1]);
    if (!number) return; // the first item
    if (number !== next) lost += Math.abs(number - next);
    next = number + 1;
    if (number === events && --left === 0) console.log(JSON.stringify({ lost }));
  });
});
for (const stream of await Promise.all(readers)) if (events === 0) stream.pause();
console.log('begun');
process.stdin.on('end', () => process.exit()).resume();
