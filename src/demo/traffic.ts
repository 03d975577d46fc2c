import { get } from 'node:http';
import { disposable, type Disposable } from '../lib/disposable.ts';
import { sleep } from '../lib/backoff.ts';
import type { Target } from './portForward/pod.ts';

const ITEMS = ['apple', 'bread', 'cheese'];

/** Buys something at the shop every second, one thing at a time: a breakpoint holds the buyer too. */
export function startTraffic(find: () => Target | undefined): Disposable {
  const stop = new AbortController();
  void buyOn(find, stop.signal);
  return disposable(() => stop.abort());
}

async function buyOn(find: () => Target | undefined, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    await sleep(1000, signal);
    const target = find();
    if (target && !signal.aborted) await buy(target, ITEMS[count % ITEMS.length]!, signal);
  }
}

/** Resolves also when the shop is not open or closes meanwhile: the next try is a second later. */
const buy = ({ host, port }: Target, item: string, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const request = get({ host, port, path: `/buy?item=${item}&count=2`, signal, agent: false }, response => {
      response.resume();
      response.once('close', () => resolve());
    });
    request.once('error', () => resolve());
  });
