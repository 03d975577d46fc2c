import path from 'node:path';
import { failureOf, failureText, UserError } from '../../core/errors.ts';
import type { SkaffoldLaunch } from '../../core/runs.ts';
import type { Environment } from '../../lib/command.ts';
import { DeadlineError, within } from '../../lib/deadline.ts';
import type { ReadFile } from '../project/files.ts';
import { type Project, readProject } from '../project/project.ts';
import { checkNames, type Findings } from './names.ts';
import { contextUnreachable, projectSlow, together } from './problems.ts';
import { checkKubectl, checkSkaffold } from './programs.ts';

/** What the checks before a start put to work. */
export interface PreflightParts {
  /** What Skaffold gets, without what launch.json adds. */
  readonly env: Environment;
  readonly read: ReadFile;
  /**
   * Asks the cluster of a context, or of the current one. Throws `UserError` when the kubeconfig has no such context, or
   * when its cluster does not answer.
   */
  contextReachable(kubeconfig: string | undefined, context: string | undefined, signal: AbortSignal): Promise<void>;
}

const projectLimitMs = 10_000;
const contextLimitMs = 20_000;

const nothing: Findings = { errors: [], remarks: [] };

/**
 * Looks for what would let a launch fail, all at the same time: Skaffold and its version, kubectl, the files with the
 * modules and profiles, the cluster. Resolves with remarks for the console. Throws one `UserError` for all that is wrong,
 * or the reason of `signal`.
 */
export async function preflight(
  launch: SkaffoldLaunch,
  parts: PreflightParts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const env = { ...parts.env, ...launch.env };
  const reading = readInTime(launch, parts, signal);
  const [skaffold, kubectl, project, cluster] = await Promise.all([
    findingsOf(async () => ({ ...nothing, remarks: await checkSkaffold(launch, env, signal) }), signal),
    findingsOf(async () => (checkKubectl(env), nothing), signal),
    findingsOf(async () => checkNames(launch, await reading), signal),
    findingsOf(async () => (await checkContext(launch, parts, await reading.catch(none), signal), nothing), signal),
  ]);
  const needsNoCluster = await reading.then(({ modules }) => modules.some(module => module.needsNoCluster), none);
  const soften = needsNoCluster ? asRemarks : (findings: Findings) => findings;
  const all = [skaffold, soften(kubectl), project, soften(cluster)];
  const errors = all.flatMap(one => one.errors);
  if (errors.length > 0) throw together(launch.name, errors);
  return all.flatMap(({ remarks }) => remarks);
}

const none = () => undefined;

/** A project that may deploy elsewhere than to a cluster is not refused for the lack of one. */
const asRemarks = ({ errors, remarks }: Findings): Findings => ({
  errors: [],
  remarks: [...remarks, ...errors.map(error => failureText(failureOf(error)))],
});

/** What a check throws for people is a finding; the reason of `signal`, and what nobody expects, is thrown on. */
async function findingsOf(check: () => Promise<Findings>, signal: AbortSignal): Promise<Findings> {
  try {
    return await check();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UserError) return { ...nothing, errors: [error] };
    throw error;
  }
}

async function readInTime({ file }: SkaffoldLaunch, { read }: PreflightParts, signal: AbortSignal): Promise<Project> {
  try {
    return await within(projectLimitMs, signal, () => readProject(file, read));
  } catch (error) {
    throw error instanceof DeadlineError ? projectSlow(file, error) : error;
  }
}

async function checkContext(
  launch: SkaffoldLaunch,
  parts: PreflightParts,
  project: Project | undefined,
  signal: AbortSignal,
): Promise<void> {
  const context = optionOf(launch.args, '--kube-context') ?? launch.kubeContext ?? contextOf(launch, project);
  const written = optionOf(launch.args, '--kubeconfig') ?? launch.kubeconfig ?? launch.env['KUBECONFIG'];
  if (written?.includes(path.delimiter)) return; // several files, which Skaffold's kubectl merges
  const kubeconfig = written && path.resolve(path.dirname(launch.file), written);
  try {
    await within(contextLimitMs, signal, s => parts.contextReachable(kubeconfig, context, s));
  } catch (error) {
    throw error instanceof UserError || signal.aborted ? error : contextUnreachable(context, error);
  }
}

/** Of an option among the arguments, written as `--name value` or `--name=value`; the last one counts. */
function optionOf(args: readonly string[], name: string): string | undefined {
  const values = args.map((arg, i) =>
    arg === name ? args[i + 1] : arg.startsWith(`${name}=`) ? arg.slice(name.length + 1) : undefined,
  );
  return values.findLast(value => value !== undefined);
}

/** `deploy.kubeContext` of an active profile, else of a module. */
function contextOf({ profiles }: SkaffoldLaunch, project: Project | undefined): string | undefined {
  const all = (project?.modules ?? []).flatMap(({ contexts }) => contexts);
  const active = all.find(({ profile }) => profile !== undefined && profiles.includes(profile));
  return (active ?? all.find(({ profile }) => profile === undefined))?.context;
}
