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

/** Container first, since lists cut names at the end; the workload, not the pod, since the debugger goes on with the next one. */
const sessionName = ({ container, namespace, workload }: Container, { runtime }: Recipe): string =>
  oneLine(`${container} · ${namespace ? `${namespace}/` : ''}${workload.name} (${runtime})`, 200);
