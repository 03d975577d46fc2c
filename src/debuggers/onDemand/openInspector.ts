import type { ContainerRef, Exec } from '../../core/contracts.ts';
import { backoffMs, sleep } from '../../lib/backoff.ts';
import { ContainerNode } from './containerNode.ts';
import { lookInto } from './look.ts';
import type { Look, NodeProcess } from './processes.ts';
import {
  inspectorNotOpened,
  inspectorPortTaken,
  noNodeProcess,
  processGone,
  signalNotCaught,
  signalRefused,
} from './problems.ts';
import { inspectorPortOf, launchersIn, programsIn } from './programs.ts';
import { SIGNAL } from './scripts.ts';

/** A running program with its inspector. */
export interface OpenedInspector {
  readonly port: number;
  readonly process: NodeProcess;
  /** It was open before. */
  readonly wasOpen: boolean;
}

export interface OpenInspectorOptions {
  readonly exec: Exec;
  readonly at: ContainerRef;
  /** Which of several programs; `undefined` when none is wanted. */
  pick(programs: readonly NodeProcess[]): Promise<NodeProcess | undefined>;
  readonly signal: AbortSignal;
}

/** So often it is looked whether the inspector is there: about ten seconds. */
const LOOKS = 12;
const WAIT = { firstMs: 150, mostMs: 1000 };

/**
 * Opens the inspector of a Node program that runs without: by SIGUSR1, which is sent once, to a process that catches it.
 * Nothing else in the container changes. `undefined` when the user picks none. Throws `UserError`.
 */
export async function openInspector(options: OpenInspectorOptions): Promise<OpenedInspector | undefined> {
  const { exec, at, pick, signal } = options;
  const node = new ContainerNode(exec, at);
  const look = () => lookInto(node, at, signal);
  let seen = await look();
  const programs = programsIn(seen);
  const [first, ...more] = programs;
  if (!first) throw noNodeProcess(at, launchersIn(seen), seen.others);
  const picked = more.length > 0 ? await pick(programs) : first;
  if (!picked) return undefined;
  if (more.length > 0) seen = await look(); // a person has taken their time
  const process = sameIn(seen, picked);
  if (!process) throw processGone(at, picked);
  const open = openPortOf(process);
  if (open !== undefined) return { port: open, process, wasOpen: true };
  check(at, seen, process);
  await send(node, at, process, signal);
  return { ...(await opened(at, process, look, signal)), wasOpen: false };
}

/** Refuses what would harm, or cannot come to anything. */
function check(at: ContainerRef, { taken, processes }: Look, process: NodeProcess): void {
  if (!process.caught) throw signalNotCaught(at, process);
  const port = inspectorPortOf(process);
  if (!taken.includes(port)) return;
  throw inspectorPortTaken(
    at,
    port,
    processes.find(({ listens }) => listens.includes(port)),
  );
}

async function send(node: ContainerNode, at: ContainerRef, process: NodeProcess, signal: AbortSignal): Promise<void> {
  const { code, stderr } = await node.run(SIGNAL, [String(process.pid), process.started], signal);
  if (code === 3) throw processGone(at, process);
  if (code !== 0) throw signalRefused(at, process, /\b(?:EPERM|ESRCH)\b[^\n]*/.exec(stderr)?.[0] ?? stderr.trim());
}

async function opened(
  at: ContainerRef,
  before: NodeProcess,
  look: () => Promise<Look>,
  signal: AbortSignal,
): Promise<Pick<OpenedInspector, 'port' | 'process'>> {
  for (let tries = 0; tries < LOOKS; tries++) {
    await sleep(backoffMs(tries, WAIT), signal);
    signal.throwIfAborted();
    const process = sameIn(await look(), before);
    if (!process) throw processGone(at, before);
    const port = openPortOf(process) ?? process.listens.find(one => !before.listens.includes(one));
    if (port !== undefined) return { port, process };
  }
  throw inspectorNotOpened(at, before, inspectorPortOf(before));
}

/** The port of its inspector, if that is open. */
function openPortOf(process: NodeProcess): number | undefined {
  const port = inspectorPortOf(process);
  return process.listens.includes(port) ? port : undefined;
}

const sameIn = ({ processes }: Look, { pid, started }: NodeProcess): NodeProcess | undefined =>
  processes.find(process => process.pid === pid && process.started === started);
