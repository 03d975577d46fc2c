import { isDeepStrictEqual } from 'node:util';
import { childrenOf, type GroupNode, type RunNode, type TreeNode } from './nodes.ts';

/**
 * Which nodes have to be drawn again, each with what is below it; `all` when the top level is another one. Redrawing
 * less than everything keeps focus and selection, and VS Code forgets the nodes of a part while it asks for it again:
 * a click at that moment leads nowhere.
 */
export function treeChanges(before: readonly TreeNode[], after: readonly TreeNode[]): readonly string[] | 'all' {
  if (!haveSameIds(before, after)) return 'all';
  return after.flatMap((node, i) => nodeChanges(before[i]!, node));
}

function nodeChanges(before: TreeNode, after: TreeNode): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isGroup(before) || !isGroup(after) || !areAlike(before, after)) return [after.id];
  const below = treeChanges(before.children, after.children);
  return below === 'all' ? [after.id] : below;
}

/** All nodes by id, those below others too. */
export const indexOf = (nodes: readonly TreeNode[]): ReadonlyMap<string, TreeNode> =>
  new Map(nodes.flatMap(node => [[node.id, node] as const, ...indexOf(childrenOf(node))]));

/** The node above each node that has one, by its id. */
export const parentsOf = (nodes: readonly TreeNode[]): ReadonlyMap<string, string> =>
  new Map(
    nodes.flatMap(node => {
      const below = childrenOf(node);
      return [...below.map(({ id }) => [id, node.id] as const), ...parentsOf(below)];
    }),
  );

const haveSameIds = (a: readonly TreeNode[], b: readonly TreeNode[]) =>
  a.length === b.length && a.every(({ id }, i) => id === b[i]!.id);

const isGroup = (node: TreeNode): node is GroupNode | RunNode => 'children' in node;

/** The same but for what is below them. */
const areAlike = (
  { children: _old, ...before }: GroupNode | RunNode,
  { children: _new, ...after }: GroupNode | RunNode,
) => isDeepStrictEqual(before, after);
