import { before, suite } from 'node:test';
import { type After, afterSuite } from '../integration/demo/support.ts';
import { attachContract } from './attach.ts';
import type { ContractCluster } from './cluster.ts';
import { execContract } from './exec.ts';
import { forwardContract } from './forward.ts';
import { onDemandContract } from './onDemand.ts';
import { ownExecContract } from './ownExec.ts';
import { logsContract } from './logs.ts';
import { watchContract } from './watch.ts';

/** Tests on one cluster all that Breakpod takes for granted of a cluster. */
export function contractSuite(
  name: string,
  start: (after: After) => Promise<ContractCluster>,
  options: { readonly skip?: string | false } = {},
): void {
  suite(name, options, () => {
    const after = afterSuite();
    let cluster: ContractCluster | undefined;
    before(async () => {
      cluster = await start(after);
    });
    for (const contract of [
      watchContract,
      logsContract,
      execContract,
      ownExecContract,
      forwardContract,
      attachContract,
      onDemandContract,
    ])
      contract(() => cluster!);
  });
}

/** Skaffold's annotation for `silent`. */
export const SILENT = JSON.stringify({ web: { runtime: 'nodejs', ports: { devtools: 9229 } } });
