// Counts visits. Started with `--inspect`; nothing else says that it can be debugged.
import { createServer } from 'node:http';

let visits = 0;

function visit(path) {
  visits += 1;
  return { path, visits };
}

const server = createServer((request, response) => {
  if (request.url === '/ready') return response.end('ok\n');
  response.setHeader('content-type', 'application/json');
  response.end(`${JSON.stringify(visit(request.url))}\n`);
});

const [host, port] = (process.env.LISTEN ?? '0.0.0.0:8080').split(':');
server.listen(Number(port), host, () => console.log('Counting visits.'));
