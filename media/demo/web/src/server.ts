// The shop. Set a breakpoint in `buy`: somebody buys something every second.
import { createServer } from 'node:http';

interface Item {
  readonly name: string;
  readonly cents: number;
}

interface BasketLine {
  readonly item: Item;
  readonly count: number;
}

const catalogue: readonly Item[] = [
  { name: 'apple', cents: 40 },
  { name: 'bread', cents: 320 },
  { name: 'cheese', cents: 780 },
];

let sold = 0;

function buy(name: string, count: number): string {
  const item = catalogue.find(({ name: known }) => known === name);
  if (!item) return `There is no ${name}.`;
  const basket: BasketLine[] = [{ item, count }];
  const total = totalOf(basket);
  sold += count;
  return `${count} ${item.name} for ${(total / 100).toFixed(2)}; ${sold} sold so far.`;
}

function totalOf(basket: readonly BasketLine[]): number {
  let total = 0;
  for (const { item, count } of basket) {
    total += item.cents * count;
  }
  return total;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://shop');
  if (url.pathname === '/ready') {
    response.end('ok\n');
    return;
  }
  const answer = buy(url.searchParams.get('item') ?? 'apple', Number(url.searchParams.get('count') ?? 1));
  console.log(answer);
  response.end(`${answer}\n`);
});

const [host, port] = (process.env['LISTEN'] ?? '0.0.0.0:8080').split(':') as [string, string];
server.listen(Number(port), host, () => console.log('The shop is open.'));
