import { connect } from 'node:net';

/** Whether anybody takes connections at this port of the loopback. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(ENOUGH_MS, () => end(false));
  });

/** On the loopback a connection is there at once, or never. */
const ENOUGH_MS = 1000;
