// The event service as a process of its own. Prints its ports; for each line `N` on its standard input it appends N events, as
// fast as they would come out of a replay, and prints what that cost; ends with its standard input.
import { createInterface } from 'node:readline';
import { EventLog } from '../../src/core/eventLog.ts';
import { Store } from '../../src/core/store.ts';
import { nextTurn } from '../../src/lib/turn.ts';
import { startEventService } from '../../src/service/eventService.ts';
import { LoopProbe } from './loopProbe.ts';

/** As many as a source pours into the store at a time. */
const EVENTS_PER_TURN = 100;

const log = new EventLog(() => new Date());
const skaffolds = { call: () => Promise.reject(new Error('none')), state: () => Promise.reject(new Error('none')) };
const options = { log, store: new Store(log), skaffolds, version: '0.0.0', grpcPort: 0, httpPort: 0 };
const service = await startEventService(options);
console.log(JSON.stringify({ grpc: service.grpcPort, http: service.httpPort }));

let probe: LoopProbe | undefined;
for await (const line of createInterface(process.stdin)) {
  if (line === 'end') console.log(JSON.stringify(probe?.end()));
  else {
    probe = new LoopProbe();
    for (let n = 1; n <= Number(line); n++) {
      append(n);
      if (n % EVENTS_PER_TURN === 0) await nextTurn();
    }
  }
}
await service.close();
process.exit();

function append(n: number): void {
  log.append({
    ...{ kind: 'debuggingContainerEvent', source: 'pods', level: 'info', entry: `event ${n}` },
    body: {
      ...{
        status: n % 2 ? 'Started' : 'Terminated',
        podName: `web-${n >> 1}`,
        containerName: 'web',
        namespace: 'shop',
      },
      ...{ artifact: 'shop-web', runtime: 'nodejs', workingDir: '/app', debugPorts: { devtools: 9229 } },
    },
  });
}
