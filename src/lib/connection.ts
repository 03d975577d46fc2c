import type { Duplex } from 'node:stream';

/** A two-way stream of bytes: a socket, or one connection inside a port-forward. */
export type Connection = Duplex;
