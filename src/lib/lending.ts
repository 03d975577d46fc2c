import type { Readable } from 'node:stream';

/** Hears a piece; the piece is overwritten afterwards. */
export type Borrower = (piece: Buffer) => void;

const borrowers = new WeakMap<Readable, Borrower>();

/** One record of TLS: Node hands over no more at a time. */
const READ_BYTES = 1 << 14;

/**
 * Makes a socket that reads into the same memory again and again: with new memory for each piece, collecting garbage costs
 * as much as everything else. `connect` gives the options to the socket that it makes; what they do not suit (a TLS socket
 * over another one) reads in the usual way.
 */
export function withReusedMemory<S extends Readable>(connect: (options: ReuseOptions) => S): S {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const callback = (bytes: number) => lend(socket, buffer.subarray(0, bytes));
  const socket: S = connect({ onread: { buffer, callback } });
  return socket;
}

/** A part of `net.ConnectOpts` and `tls.ConnectionOptions`. */
export interface ReuseOptions {
  readonly onread: { readonly buffer: Buffer; readonly callback: (bytes: number) => boolean };
}

/** Listens to the data of a source, alone. Pieces that the source lends come uncopied. */
export function borrow(source: Readable, take: Borrower): void {
  borrowers.set(source, take);
  source.on('data', take);
}

/**
 * For a source: passes on a piece that will be overwritten, uncopied to the one that borrows, as a copy to everybody else.
 * Returns, like `push`, whether there is room for more.
 */
export function lend(source: Readable, piece: Buffer): boolean {
  const take = borrowers.get(source);
  if (!take || !source.readableFlowing || source.readableLength > 0) return source.push(Buffer.from(piece));
  take(piece);
  return !source.isPaused();
}
