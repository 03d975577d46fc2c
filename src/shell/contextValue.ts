import type { ContextWord } from './ids.ts';
import type { TreeNode } from './nodes.ts';

/** What menus may offer on a node, as words in one string. */
export function contextValueOf(node: TreeNode, isDemo: boolean): string {
  if (node.kind !== 'container') return node.kind;
  const { row } = node;
  const words: readonly (ContextWord | false)[] = [
    'container',
    row.isAttachable && 'attachable',
    row.step !== undefined && !row.session && 'attaching',
    row.session !== undefined && 'attached',
    isReachable(node) && 'reachable',
    isDemo && 'demo',
  ];
  return words.filter(word => word !== false).join(';');
}

const isReachable = ({ row }: Extract<TreeNode, { kind: 'container' }>) =>
  row.session !== undefined || (row.isAttachable && row.container.detection.port !== undefined);
