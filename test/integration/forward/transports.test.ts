import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import { ApiServer, TestAccess } from './support/apiServer.ts';
import { echo } from './support/clients.ts';
import { PodApp, PORT } from './support/podApp.ts';
import { TRANSPORTS } from '../../../src/cluster/forward/session.ts';

for (const transport of TRANSPORTS)
  describe(transport, () => {
    test('smoke', async () => {
      const app = await PodApp.start();
      const api = await ApiServer.start();
      const pod = api.addPod('web', app);
      const access = new TestAccess(api.url);
      const forwards = openForwards({ accessOf: () => access, transports: [transport], log: console.log });
      const f = await forwards.open({ pod, port: PORT.echo, follow: 'f' as never }, new AbortController().signal);
      assert.equal(await echo(f.localPort), 'hello');
      assert.equal(f.transport, transport);
      forwards.dispose();
      await api.close();
      app.close();
    });
  });
