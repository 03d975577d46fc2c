import { type handleUnaryCall, status } from '@grpc/grpc-js';
import type { SkaffoldServiceServer } from '../../../src/proto/gen/v1.ts';
import type { Play } from './play.ts';

/** The control calls of v1, told to the play; `note` gets each. */
export function callsOf(
  play: () => Play,
  note: (name: string, request: unknown) => void,
  alreadyExists = false,
): Partial<SkaffoldServiceServer> {
  const auto =
    (name: 'build' | 'sync' | 'deploy'): SkaffoldServiceServer['autoBuild'] =>
    ({ request }, answer) => {
      const enabled = request.state?.enabled ?? false;
      note(`auto ${name}`, enabled);
      const details = `auto ${name} is already set to ${enabled}`;
      if (alreadyExists || play().auto[name] === enabled) return answer({ code: status.ALREADY_EXISTS, details });
      play().auto[name] = enabled;
      answer(null, {});
    };
  const execute: handleUnaryCall<Parameters<SkaffoldServiceServer['execute']>[0]['request'], object> = (
    { request: { intent } },
    answer,
  ) => {
    note('execute', intent);
    if (intent?.build || intent?.devloop) void play().iterate();
    answer(null, {});
  };
  const getState: SkaffoldServiceServer['getState'] = (_, answer) => answer(null, play().state());
  return { execute, getState, autoBuild: auto('build'), autoSync: auto('sync'), autoDeploy: auto('deploy') };
}
