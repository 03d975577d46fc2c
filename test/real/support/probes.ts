// Does a debug port speak its protocol? Each probe takes a port of the loopback and gives what the debuggee answered.
import { connect } from 'node:net';

/** The inspector's list of targets. */
export async function devtools(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(10_000) });
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  return target?.webSocketDebuggerUrl ?? '';
}

/** The virtual machine echoes the handshake. While the connection lasts, it refuses others. */
export const jdwp = (port: number): Promise<string> => ask(port, 'JDWP-Handshake', /^JDWP-Handshake$/);

/** debugpy's adapter sends some events first, then the response. */
export function dap(port: number): Promise<string> {
  const body = JSON.stringify({ seq: 1, type: 'request', command: 'initialize', arguments: { adapterID: 'debugpy' } });
  return ask(port, `Content-Length: ${body.length}\r\n\r\n${body}`, /"command": ?"initialize"/);
}

/** Delve's JSON-RPC, version 2 of its API. */
export const dlv = (port: number): Promise<string> =>
  ask(port, `${JSON.stringify({ id: 1, method: 'RPCServer.GetVersion', params: [{}] })}\n`, /"DelveVersion":"[^"]+"/);

/** Sends once, and reads until what has come matches. */
function ask(port: number, request: string, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let said = '';
    const timer = setTimeout(() => socket.destroy(), 10_000);
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = wanted.exec(said);
      if (!found) return;
      resolve(found[0]);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error(`port ${port} said: ${said}`));
    });
  });
}
