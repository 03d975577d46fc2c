import { before, suite } from 'node:test';
import { type After, afterSuite } from '../integration/demo/support.ts';
import type { ContractCluster } from './cluster.ts';
import { execContract } from './exec.ts';
import { forwardContract } from './forward.ts';
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
    for (const contract of [watchContract, logsContract, execContract, forwardContract]) contract(() => cluster!);
  });
}
