import type { ContextWord } from './ids.ts';
import type { RunNode, TreeNode } from './nodes.ts';

/** What menus may offer on a node, as words in one string. */
export function contextValueOf(node: TreeNode, isDemo: boolean): string {
  if (node.kind === 'run') return ofRun(node);
  if (node.kind !== 'container') return node.kind;
  const { row } = node;
  const words: readonly (ContextWord | false)[] = [
    'container',
    row.isAttachable && 'attachable',
    (row.step !== undefined || row.followed !== undefined) && !row.session && 'attaching',
    row.session !== undefined && 'attached',
    isReachable(node) && 'reachable',
    isDemo && 'demo',
    row.run !== undefined && row.container.pod !== '' && 'logged',
  ];
  return words.filter(word => word !== false).join(';');
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
