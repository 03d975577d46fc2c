// Serves the newest report; `worker.js` is the second container of the pod.
import { createServer } from 'node:http';

function report() {
  const now = new Date();
  return `Report of ${now.toISOString()}: all is well.\n`;
}

const server = createServer((request, response) => response.end(request.url === '/ready' ? 'ok\n' : report()));

const [host, port] = (process.env.LISTEN ?? '0.0.0.0:8080').split(':');
server.listen(Number(port), host, () => console.log('Reports can be read.'));
