// A Skaffold with a long past, as a process of its own: prints its port, and serves the replay until its standard input ends.
import { LogLevel } from '../../src/proto/gen/enums.ts';
import { startSkaffoldServer, v1Entry, v2Event } from '../support/skaffoldServer.ts';

const [events, containers] = process.argv.slice(2).map(Number) as [number, number];

const debugging = (n: number) => ({
  debuggingContainerEvent: {
    status: Math.floor(n / containers) % 2 === 0 ? 'Started' : 'Terminated',
    podName: `web-${n % containers}`,
    containerName: 'web',
    namespace: 'shop',
    artifact: 'shop-web',
    runtime: 'nodejs',
    workingDir: '/app',
    debugPorts: { devtools: 9229 },
  },
});

const line = (n: number) => ({
  skaffoldLogEvent: {
    task_id: 'Build-1',
    subtask_id: 'shop-web',
    level: LogLevel.INFO,
    message: `step ${n} of a long build\n`,
  },
});

const at = (n: number) => Math.floor(n / 1000);

/** Half of them of each service, as they happened. */
const server = await startSkaffoldServer({
  replay: Array.from({ length: events / 2 }, (_, n) => ({
    ...v1Entry(0, debugging(n), `event ${n}`),
    timestamp: { seconds: at(n), nanos: (n % 1000) * 1_000_000 },
  })),
});
for (let n = 0; n < events / 2; n++)
  server.v2({ ...v2Event(0, line(n)), timestamp: { seconds: at(n), nanos: (n % 1000) * 1_000_000 } });
console.log(server.port);
process.stdin.on('end', () => process.exit()).resume();
