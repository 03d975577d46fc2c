// Works beside the server of the same pod.
setInterval(() => console.log('helping'), 1000);

process.on('SIGTERM', () => process.exit(0));
