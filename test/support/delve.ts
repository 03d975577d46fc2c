import { existsSync } from 'node:fs';
import { whichOf } from '../../.ci/lib/command.ts';
import { aptInstall, type Need } from '../../.ci/lib/needs.ts';
import { buildTool } from '../real/cluster/build.ts';
import { bin } from '../real/cluster/paths.ts';

/** The dlv of the real tests, else this machine's: it has to be as new as Go is. */
export const findDelve = (): string | undefined => (existsSync(bin('dlv')) ? bin('dlv') : whichOf(['dlv']));

/** Go with its debugger. */
export const delve: Need = {
  name: 'Go with Delve (apt-get or the Go modules, about half a minute)',
  isThere: () => whichOf(['go']) !== undefined && existsSync(findDelve() ?? ''),
  async install() {
    const otherwise = 'Please install Go and Delve, with go and dlv on the PATH.';
    if (whichOf(['go'])) return buildTool('dlv', { timeoutMs: 300_000 });
    await aptInstall('golang-go', otherwise);
    await aptInstall('delve', otherwise);
  },
};
