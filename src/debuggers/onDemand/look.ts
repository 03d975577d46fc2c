import type { ContainerRef } from '../../core/contracts.ts';
import { oneLine } from '../../lib/plainText.ts';
import { isMapping, isTrueAt, type Mapping, mappingsAt, textAt, textsAt } from '../../lib/mapping.ts';
import type { ContainerNode } from './containerNode.ts';
import { notSeen } from './problems.ts';
import type { Look, NodeProcess } from './processes.ts';
import { LOOK } from './scripts.ts';

/** Looks into the container. Throws `UserError`. */
export async function lookInto(node: ContainerNode, at: ContainerRef, signal: AbortSignal): Promise<Look> {
  const { code, stdout, stderr } = await node.run(LOOK, [], signal);
  const said = parsed(stdout);
  if (code !== 0 || !isMapping(said)) throw notSeen(at, oneLine(stderr.trim() || stdout, 300) || `exit code ${code}`);
  return {
    host: textAt(said, 'host'),
    taken: numbersAt(said, 'taken'),
    processes: mappingsAt(said, 'processes').map(processOf),
    others: textsAt(said, 'others').map(text => oneLine(text, 100)),
  };
}

const processOf = (said: Mapping): NodeProcess => ({
  pid: Number(said['pid']),
  parent: Number(said['parent']),
  started: textAt(said, 'started') ?? '',
  command: textsAt(said, 'command'),
  cwd: textAt(said, 'cwd') ?? '',
  options: textAt(said, 'options') ?? '',
  host: textAt(said, 'host'),
  elsewhere: isTrueAt(said, 'elsewhere'),
  caught: isTrueAt(said, 'caught'),
  listens: numbersAt(said, 'listens'),
});

const numbersAt = (of: Mapping, key: string): readonly number[] => textsAt(of, key).map(Number);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
