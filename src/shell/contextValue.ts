import type { Row } from '../core/selectors.ts';
import type { ContextWord } from './ids.ts';
import { containersIn, type RunNode, type TreeNode } from './nodes.ts';

/** What menus may offer on a node, as words in one string. */
export function contextValueOf(node: TreeNode, isDemo: boolean): string {
  if (node.kind === 'run') return [ofRun(node), ...ofGroup(node)].join(';');
  if (node.kind !== 'container') return [node.kind, ...ofGroup(node)].join(';');
  const { row } = node;
  const words: readonly (ContextWord | false)[] = [
    'container',
    row.isAttachable && 'attachable',
    (row.step !== undefined || row.followed !== undefined) && !row.session && 'attaching',
    row.session !== undefined && 'attached',
    isReachable(node) && 'reachable',
    isInspectable(row) && 'inspectable',
    isDemo && 'demo',
    row.run !== undefined && row.container.pod !== '' && 'logged',
  ];
  return words.filter(word => word !== false).join(';');
}

/** What can be done with all containers below. */
function ofGroup(node: TreeNode): readonly ContextWord[] {
  const rows = containersIn(node).map(({ row }) => row);
  const words: readonly (ContextWord | false)[] = [
    rows.some(({ isAttachable }) => isAttachable) && 'attachables',
    rows.some(({ session }) => session) && 'attacheds',
    node.kind === 'workload' && rows.filter(({ isAttachable }) => isAttachable).length > 1 && 'replicas',
  ];
  return words.filter(word => word !== false);
}

/** `run`, how we came to it, and what can be done with it. */
function ofRun({ run: { origin, state } }: RunNode): string {
  const isOver = state.kind === 'ended' || (state.kind === 'failed' && state.isOver);
  const isFollowed = !isOver && state.kind !== 'offered' && state.kind !== 'lost';
  const words: readonly (ContextWord | typeof origin | false)[] = [
    'run',
    origin,
    state.kind === 'offered' && 'joinable',
    isFollowed && 'stoppable',
    isFollowed && state.kind !== 'stopping' && 'controllable',
    (isOver || state.kind === 'lost') && 'dismissible',
  ];
  return words.filter(word => word !== false && word !== undefined).join(';');
}

const isReachable = ({ row }: Extract<TreeNode, { kind: 'container' }>) =>
  row.session !== undefined || (row.isAttachable && row.container.detection.port !== undefined);

const isInspectable = ({ state, container: { phase, detection, direct } }: Row) =>
  state === 'not-debuggable' && detection.runtime === 'nodejs' && phase.kind === 'running' && !direct;
