import type { Socket } from 'node:net';
import type { Connection } from '../../lib/connection.ts';
import { borrow } from '../../lib/lending.ts';
import { Outbox } from '../../lib/outbox.ts';

/** After the pod's end nothing that the client still sends arrives for long: silence for so long closes its side too. */
const QUIET_MS = 2000;

/**
 * Joins a local client and a connection to the pod: bytes and back-pressure both ways, ends as ends, an error of the pod
 * as a reset of the client (and a call of `onProblem`), a client that breaks off as a reset of the pod's connection.
 */
export function bridge(local: Socket, remote: Connection, onProblem: (error: Error) => void): void {
  remote.on('error', error => {
    if (!local.destroyed) local.resetAndDestroy();
    onProblem(error);
  });
  remote.on('close', () => {
    if (!remote.readableEnded && !local.destroyed) local.resetAndDestroy();
  });
  remote.on('end', () => closeWhenQuiet(local));
  local.on('error', () => remote.destroy());
  local.on('close', () => {
    if (!remote.readableEnded || !remote.writableFinished) remote.destroy();
  });
  if (local.destroyed) return void remote.destroy();
  if (remote.destroyed) return void local.resetAndDestroy();
  local.pipe(remote);
  pour(remote, local);
}

/** A `pipe` that gathers what comes within one turn of the event loop: TLS hands over no more than 16 KiB at a time. */
function pour(remote: Connection, local: Socket): void {
  const outbox = new Outbox(local);
  borrow(remote, piece => {
    if (!outbox.add(piece)) remote.pause();
  });
  remote.on('end', () => {
    outbox.send();
    local.end();
  });
  local.on('drain', () => remote.resume());
}

function closeWhenQuiet(local: Socket): void {
  let seen = local.bytesRead;
  const timer = setInterval(() => {
    if (local.bytesRead === seen && local.writableFinished) local.destroy();
    seen = local.bytesRead;
  }, QUIET_MS).unref();
  local.on('close', () => clearInterval(timer));
}
