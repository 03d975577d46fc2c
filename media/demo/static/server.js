// Has no debugger, so it is not in the view.
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.end('<h1>The shop</h1>\n'));

const [host, port] = (process.env.LISTEN ?? '0.0.0.0:8080').split(':');
server.listen(Number(port), host, () => console.log('Serving one page.'));
