import { UserError } from '../core/errors.ts';
import { codes, type ControlMethod } from '../proto/codes.ts';
import { EnumNames } from '../proto/enumNames.ts';
import type { Fields } from '../proto/fields.ts';
import { callOnce, type UnaryMethod } from './client.ts';
import type { Intent, SkaffoldServiceService } from '../proto/gen/v1.ts';
import { noSkaffold } from './problems.ts';

/** How long an answer may take, in milliseconds. Skaffold answers at once, unless it is locked up. */
const ANSWER_MS = 5000;

/** The same for what somebody else waits for, who knows the rest without it. */
const OWN_STATE_MS = 1000;

/** What came of a command: `already` when it was so before. */
export type Done = 'done' | 'already';

/** Which phases Skaffold runs by itself when a file has changed. */
export type AutoState = Readonly<Record<'build' | 'sync' | 'deploy', boolean>>;

/**
 * Commands for a running Skaffold; each throws `UserError`. A phase that runs by itself heeds no command, and without a
 * changed file nothing happens and no event says so (skaffold: pkg/skaffold/runner/intent.go).
 */
export interface SkaffoldControl {
  build(): Promise<Done>;
  sync(): Promise<Done>;
  deploy(): Promise<Done>;
  /** Builds, syncs and deploys what has changed, in one iteration. */
  devloop(): Promise<Done>;
  autoBuild(isOn: boolean): Promise<Done>;
  autoSync(isOn: boolean): Promise<Done>;
  autoDeploy(isOn: boolean): Promise<Done>;
  /** A hint: Skaffold forgets its state now and then. */
  autoState(): Promise<AutoState>;
}

/** Of the Skaffold at this port, by its v1 service: v2 answers and does nothing (skaffold: pkg/skaffold/server/v2/server.go). */
export function controlOf(port: number): SkaffoldControl {
  const tell = async <Request>(what: string, method: Method<Request>, request: Request): Promise<Done> => {
    try {
      await call(port, method, request);
      return 'done';
    } catch (error) {
      if (codeOf(error) === codes.ALREADY_EXISTS) return 'already';
      throw notDone(port, what, error);
    }
  };
  const execute = (what: string, intent: Partial<Intent>) =>
    tell(what, v1 => v1.execute, { intent: { ...noIntent, ...intent } });
  return {
    build: () => execute('build', { build: true }),
    sync: () => execute('sync', { sync: true }),
    deploy: () => execute('deploy', { deploy: true }),
    // Before v1.33 `devloop` is not known and the others count; since then they are ignored beside it.
    devloop: () => execute('apply the changes', { build: true, sync: true, deploy: true, devloop: true }),
    autoBuild: enabled => tell('change when it builds', v1 => v1.autoBuild, { state: { enabled } }),
    autoSync: enabled => tell('change when it syncs', v1 => v1.autoSync, { state: { enabled } }),
    autoDeploy: enabled => tell('change when it deploys', v1 => v1.autoDeploy, { state: { enabled } }),
    autoState: () => autoState(port),
  };
}

async function autoState(port: number): Promise<AutoState> {
  try {
    const { buildState, fileSyncState, deployState } = await call(port, v1 => v1.getState, {});
    const isAuto = (phase: { autoTrigger: boolean } | undefined) => phase?.autoTrigger ?? false;
    return { build: isAuto(buildState), sync: isAuto(fileSyncState), deploy: isAuto(deployState) };
  } catch (error) {
    throw notDone(port, 'say what it does by itself', error);
  }
}

/** Running Skaffolds as they are, by their ports, for whoever speaks their API. Both throw the `ServiceError` of gRPC. */
export const skaffolds = {
  /** Passes a command on. */
  async call(port: number, method: ControlMethod, request: object): Promise<void> {
    await call<object, object>(port, v1 => v1[method] as UnaryMethod<object, object>, request);
  },
  /** What it says of itself, fields as in JSON. */
  async state(port: number): Promise<Fields> {
    const names = new EnumNames(await import('../proto/libraries.ts'));
    return names.withNames(await call(port, v1 => v1.getState, {}, OWN_STATE_MS), '');
  },
};

type V1 = typeof SkaffoldServiceService;
type Method<Request, Answer = object> = (v1: V1) => UnaryMethod<Request, Answer>;

async function call<Request, Answer>(
  port: number,
  method: Method<Request, Answer>,
  request: Request,
  withinMs = ANSWER_MS,
): Promise<Answer> {
  const { SkaffoldServiceService: v1 } = await import('../proto/libraries.ts');
  return callOnce(port, method(v1), request, withinMs);
}

const noIntent: Intent = { build: false, sync: false, deploy: false, devloop: false };

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function notDone(port: number, what: string, cause: unknown): UserError {
  switch (codeOf(cause)) {
    case codes.UNAVAILABLE:
      return noSkaffold(port);
    case codes.UNIMPLEMENTED:
      return new UserError('skaffold-too-old', `The Skaffold at port ${port} cannot ${what} on request.`, {
        cause,
        remedy: 'Use Skaffold v1.12 or later.',
      });
    case codes.DEADLINE_EXCEEDED:
      return new UserError('skaffold-deaf', `The Skaffold at port ${port} does not answer.`, {
        cause,
        remedy: 'If it does nothing else either, stop it and start it again.',
      });
    default:
      return new UserError('skaffold-refused', `The Skaffold at port ${port} did not ${what}.`, {
        cause,
        remedy: 'Look at what it has printed.',
      });
  }
}
