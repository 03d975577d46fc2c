import type { Fields } from './contracts.ts';
import type { Detection } from './model.ts';

/** What the user says of the debugger for a runtime, a port name or an artifact; what is absent is as it is. */
export type RecipeOverride = Readonly<{
  /** Debug type, as in launch.json. */
  type?: string;
  /** Id of the extension that brings the type. */
  extension?: string;
  /** Fields that go before those which Breakpod finds out. */
  configuration?: Fields;
  /** The port in the container. */
  port?: number;
}>;

/** By runtime, port name or artifact, whichever a key is. */
export type RecipeOverrides = ReadonlyMap<string, RecipeOverride>;

/** What the user says of one container: an artifact counts more than a port name, and that more than a runtime. */
export function overrideFor(
  overrides: RecipeOverrides,
  { runtime, ports, artifact }: Pick<Detection, 'runtime' | 'ports' | 'artifact'>,
): RecipeOverride | undefined {
  if (overrides.size === 0) return undefined;
  const found = [runtime, ...Object.keys(ports), artifact].flatMap(key => overrides.get(key ?? '') ?? []);
  return found.length === 0 ? undefined : found.reduce(merged);
}

const merged = (weaker: RecipeOverride, stronger: RecipeOverride): RecipeOverride => ({
  ...weaker,
  ...stronger,
  ...(weaker.configuration || stronger.configuration
    ? { configuration: { ...weaker.configuration, ...stronger.configuration } }
    : {}),
});
