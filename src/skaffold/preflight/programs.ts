import { UserError } from '../../core/errors.ts';
import type { SkaffoldLaunch } from '../../core/runs.ts';
import { commandOf, type Environment, findProgram } from '../../lib/command.ts';
import { DeadlineError, within } from '../../lib/deadline.ts';
import { oneLine } from '../../lib/plainText.ts';
import { run } from '../../lib/run.ts';
import { kubectlMissing, skaffoldBroken, skaffoldMissing, skaffoldOld } from './problems.ts';
import { oldestVersion, verdictOn } from './version.ts';

const versionLimitMs = 20_000;

/** `skaffold version` would else look on the network for a newer one, or ask. */
const quiet: Environment = { SKAFFOLD_UPDATE_CHECK: 'false', SKAFFOLD_INTERACTIVE: 'false' };

/** Finds the binary and asks for its version. Resolves with remarks; throws `UserError`, or the reason of `signal`. */
export async function checkSkaffold(
  { binary, portForward }: Pick<SkaffoldLaunch, 'binary' | 'portForward'>,
  env: Environment,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const file = findProgram(binary, env);
  if (!file) throw skaffoldMissing(binary, lookedFor(binary, env));
  try {
    const hasModes = portForward.some(mode => mode !== 'off');
    return await checkVersion(file, { ...env, ...quiet }, hasModes, signal);
  } catch (error) {
    if (error instanceof UserError || signal.aborted) throw error;
    if (error instanceof DeadlineError) return [`Skaffold did not tell its version: ${error.message}.`];
    throw skaffoldBroken(file, error);
  }
}

async function checkVersion(
  file: string,
  env: Environment,
  hasModes: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const command = commandOf(file, ['version'], env);
  if (!command) throw skaffoldMissing(file, lookedFor(file, env));
  const { exitCode, stdout, stderr } = await within(versionLimitMs, signal, s => run(command, env, s));
  if (exitCode !== 0)
    throw skaffoldBroken(file, oneLine(`exit code ${exitCode ?? 'none'}: ${(stderr || stdout).trim()}`, 500));
  const version = oneLine(stdout.trim(), 100);
  switch (verdictOn(version)) {
    case 'too old':
      throw skaffoldOld(file, version);
    case 'no modes':
      return hasModes
        ? [
            `Skaffold ${version} forwards all ports or none: it may refuse "portForward" in launch.json, unless that is ["off"].`,
          ]
        : [];
    case 'no release':
      return [`Skaffold ${version} is no release; what it says may not all be understood.`];
    case 'unreadable':
      return [`Skaffold gives "${version}" as its version; ${oldestVersion} or newer is needed.`];
    default:
      return [];
  }
}

/** Throws `UserError` when Skaffold will not find kubectl. */
export function checkKubectl(env: Environment): void {
  if (!findProgram('kubectl', env)) throw kubectlMissing(lookedFor('kubectl', env));
}

function lookedFor(name: string, env: Environment): string {
  if (/[/\\]/.test(name)) return 'there is no such file, or this user may not run it';
  return `not in any folder of PATH: ${oneLine(env['PATH'] ?? env['Path'] ?? '', 1000) || 'it is empty'}`;
}
