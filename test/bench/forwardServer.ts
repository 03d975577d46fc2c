import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { PodApp } from '../integration/forward/support/podApp.ts';
import { ApiServer } from '../integration/forward/support/apiServer.ts';
import { makeCertificate } from '../integration/forward/support/certificate.ts';
import { writeKubeconfig } from './kubeconfigFile.ts';

// A process of its own: an API server with the demo cluster's port-forward, and a pod that answers GET /N with N MiB and
// a POST with the number of bytes that came. Tells its parent where the kubeconfig is.

const MIB = 1 << 20;
const block = Buffer.alloc(MIB, 7);

const program = http.createServer((request, response) => {
  if (request.method === 'POST') void count(request, response);
  else void fill(response, Number(request.url?.slice(1)));
});

async function count(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  response.end(String(bytes));
}

async function fill(response: http.ServerResponse, blocks: number): Promise<void> {
  response.writeHead(200, { 'content-length': blocks * MIB || 1 });
  if (!blocks) return void response.end('x');
  for (let sent = 0; sent < blocks; sent++) if (!response.write(block)) await once(response, 'drain');
  response.end();
}

program.listen(0, '127.0.0.1');
await once(program, 'listening');

const certificate = makeCertificate();
const api = await ApiServer.start({ certificate });
const find = () => ({ host: '127.0.0.1', port: (program.address() as AddressInfo).port });
api.addPod('web', { find } as unknown as PodApp);

process.send?.(writeKubeconfig(api.url.origin, certificate.ca));
process.on('disconnect', () => process.exit());
