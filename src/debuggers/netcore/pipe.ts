// A process of its own: what the .NET extension starts as its pipe. It joins its standard input and output to a local port, behind
// which the debugger runs in the container. What else stands on its command line (the debugger's path) is the other end's matter.
import { connect } from 'node:net';

const port = Number(process.argv[2]);
const socket = connect({ port, host: '127.0.0.1' });

socket.on('error', error => {
  process.stderr.write(`Breakpod: the way to the debugger in the container is closed (${error.message}).\n`);
  process.exitCode = 1;
});
socket.on('close', () => process.exit());
process.stdin.pipe(socket);
socket.pipe(process.stdout);
