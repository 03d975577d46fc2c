import net from 'node:net';
import type { TestContext } from 'node:test';

export { freePort } from '../../src/lib/freePort.ts';

/** A TCP server on a free port of 127.0.0.1; closed with its connections at the test's end. */
export async function listen(t: TestContext, onClient: (client: net.Socket) => void, port = 0): Promise<number> {
  const clients = new Set<net.Socket>();
  const server = net.createServer(client => {
    clients.add(client.on('error', () => undefined));
    onClient(client);
  });
  t.after(() => {
    server.close();
    for (const client of clients) client.destroy();
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', resolve));
  return (server.address() as net.AddressInfo).port;
}
