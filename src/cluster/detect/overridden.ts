import type { Detection } from '../../core/model.ts';
import { overrideFor, type RecipeOverride, type RecipeOverrides } from '../../core/recipeOverrides.ts';
import { oneLine } from '../../lib/plainText.ts';
import { listOf } from '../pods/lists.ts';
import type { Detect, PodContainer } from '../pods/pod.ts';
import { portNumberOf } from './options.ts';

/** `detect` with what the user says of debuggers: a container with such a debugger and a port can be debugged. */
export function detectWith(overrides: RecipeOverrides, detect: Detect): Detect {
  if (overrides.size === 0) return detect;
  return (spec, pod) => {
    const seen = detect(spec, pod);
    const detection = seen.listed ? seen : (namedByUser(overrides, spec, seen) ?? seen);
    const override = detection.listed ? overrideFor(overrides, detection) : undefined;
    return override ? overridden(detection, override) : detection;
  };
}

/** What the names of ports look like (Kubernetes API, `ContainerPort`). */
const PORT_NAME = /^[a-z0-9-]{1,15}$/;

/** Words of the pods that only a port name of the user's makes debuggable (as JSON, the way API servers write it). */
export const wordsOf = (overrides: RecipeOverrides): readonly string[] =>
  [...overrides.keys()].filter(key => PORT_NAME.test(key)).map(key => `"name":"${key}"`);

function namedByUser(overrides: RecipeOverrides, spec: PodContainer, seen: Detection): Detection | undefined {
  for (const { name, containerPort } of listOf(spec.ports)) {
    const port = portNumberOf(containerPort);
    if (name === undefined || port === undefined || !overrides.has(name)) continue;
    const found = `port ${port} is named ${oneLine(name, 63)}, as a key of the setting breakpod.recipes`;
    const named = {
      port,
      ports: { [name]: port },
      evidence: 'port-name',
      verdict: 'live',
      listed: true,
      found,
    } as const;
    const { reason: _, ...others } = seen;
    return { ...others, ...named };
  }
  return undefined;
}

/** A process that refuses to start does so with any debugger. */
function overridden(detection: Detection, { type, port: own }: RecipeOverride): Detection {
  const port = own ?? detection.port;
  if (port === undefined || detection.verdict === 'crash') return detection;
  const isMore = own !== undefined || (type !== undefined && detection.verdict === 'not-debuggable');
  if (!isMore) return detection;
  const { reason: _, ...others } = detection;
  const isSuspended = detection.verdict === 'suspended';
  const found = `${detection.found}; the setting breakpod.recipes says how it is debugged`;
  return { ...others, port, verdict: isSuspended ? 'suspended' : 'live', found };
}
