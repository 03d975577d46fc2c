import { forwardTarget } from '../attachTarget.ts';
import type { Forwards, Ready, Recipes, SourcePaths } from '../contracts.ts';
import { failureOf, rawText } from '../errors.ts';
import type { Container, Detection } from '../model.ts';
import { broken, type Finding, type Findings, unknown, yes } from './explain.ts';

/** What a container is reached by; `paths` where there is a workspace. */
export interface ReachParts {
  readonly forwards: Forwards;
  readonly recipes: Recipes;
  readonly paths?: SourcePaths;
}

const FORWARD_LIMIT_MS = 20_000;
const LISTENER_LIMIT_MS = 10_000;

/**
 * Finds out how far an attach would come, and attaches nothing: opens a forward for a moment, asks the listener where that
 * harms nobody, and looks for the sources. Rejects when `signal` aborts, and for nothing else.
 */
export async function reach(parts: ReachParts, container: Container, signal: AbortSignal): Promise<Findings> {
  const { ready, ...found } = await wayTo(parts, container, signal);
  signal.throwIfAborted();
  return parts.paths ? { ...found, paths: await pathsFinding(parts.paths, container, ready) } : found;
}

async function wayTo(
  parts: ReachParts,
  container: Container,
  signal: AbortSignal,
): Promise<Findings & { readonly ready: Ready }> {
  const { detection } = container;
  if (detection.port === undefined) return { ready: {} };
  const target = forwardTarget(container, detection.port);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_LIMIT_MS)]);
    const forward = await parts.forwards.open(target, limit);
    try {
      const opened = yes(`127.0.0.1:${forward.localPort} leads to it.`);
      if (!isAskedFreely(detection)) return { forward: opened, listener: notAsked, ready: {} };
      const { takesMany = false } = detection;
      const stop = AbortSignal.any([signal, AbortSignal.timeout(LISTENER_LIMIT_MS)]);
      try {
        const recipe = parts.recipes.recipeFor(container);
        const ready = await recipe.ready(forward, { suspended: false, takesMany, signal: stop });
        return { forward: opened, listener: yes(ready.target ?? 'It answers.'), ready };
      } catch (error) {
        return { forward: opened, listener: broken(failureOf(error), 'Look in the log of the container.'), ready: {} };
      }
    } finally {
      forward.dispose();
    }
  } catch (error) {
    return { forward: broken(failureOf(error), 'Try again.'), ready: {} };
  }
}

/** The inspector serves any number of clients, so does such a dlv: others are used up, started or upset by one that comes and goes. */
const isAskedFreely = ({ runtime, takesMany }: Detection): boolean =>
  runtime === 'nodejs' || runtime === 'deno' || (runtime === 'go' && takesMany === true);

const notAsked = unknown('It is not asked: it may take one debugger only.', 'Attach a debugger.');

async function pathsFinding(paths: SourcePaths, container: Container, ready: Ready): Promise<Finding> {
  try {
    const { local, sources } = await paths.mapFor(container, ready);
    const detail = sources.join(' ');
    return local === undefined ? unknown(detail, 'Open the folder with its sources.') : yes(detail);
  } catch (error) {
    return unknown(`The sources could not be looked for: ${rawText(error)}`);
  }
}
