// Answers on 8080: /ready, and a greeting with a counter for anything else.
import { createServer } from 'node:http';

interface Visit {
  readonly path: string;
  readonly count: number;
}

let visits = 0;

function visit(path: string): Visit {
  visits += 1;
  return { path, count: visits };
}

function greet(path: string): string {
  const { count } = visit(path);
  return `node ${path} ${count}\n`;
}

createServer((request, response) => {
  const { url = '/' } = request;
  response.end(url === '/ready' ? 'ok\n' : greet(url));
}).listen(8080, () => console.log('listening on 8080'));

process.on('SIGTERM', () => process.exit(0)); // process 1 has no default action for it
