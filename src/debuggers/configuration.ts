import type { DebugConfiguration, PathMap, Recipe } from '../core/contracts.ts';
import type { Container } from '../core/model.ts';
import { oneLine } from '../lib/plainText.ts';

/** What to start for a container whose port is forwarded to `at`. */
export const configurationOf = (
  recipe: Recipe,
  container: Container,
  at: { host: string; port: number },
  paths: PathMap,
): DebugConfiguration => ({
  ...recipe.attach(at, paths, container.detection),
  type: recipe.type,
  request: 'attach',
  name: sessionName(container, recipe),
});

/** Container first, since lists cut names at the end; the pod's whole name keeps those of one workload apart. */
const sessionName = ({ container, namespace, pod }: Container, { runtime }: Recipe): string =>
  oneLine(`${container} · ${namespace}/${pod} (${runtime})`, 200);
