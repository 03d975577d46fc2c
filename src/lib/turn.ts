/** Lets the event loop go round once: timers, sockets and whoever else waits come first. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
