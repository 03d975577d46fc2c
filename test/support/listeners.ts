import net from 'node:net';
import type { TestContext } from 'node:test';

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

/** A port on which nothing listens (any more). */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
