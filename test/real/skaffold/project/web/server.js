// Answers on 8080: /ready, and a greeting with a counter for anything else.
import { createServer } from 'node:http';

const version = 1;
let visits = 0;

createServer((request, response) => {
  visits += 1;
  response.end(request.url === '/ready' ? 'ok\n' : `web ${version} ${request.url} ${visits}\n`);
}).listen(8080, () => console.log('listening on 8080'));

process.on('SIGTERM', () => process.exit(0)); // process 1 has no default action for it
