import { isMapping, mappingAt, mappingsAt, textAt } from '../../lib/mapping.ts';

/** How a program ended: with an exit code, or with the words of the node that say why there is none. */
export type Outcome = Readonly<{ code: number } | { failure: string }>;

/**
 * Reads what the error channel said: a `Status`, with the exit code in its details (apimachinery
 * `pkg/util/remotecommand/constants.go`). Anything else is taken for words.
 */
export function outcomeOf(text: string): Outcome {
  const status = parsed(text);
  if (!isMapping(status)) return { failure: text.trim() };
  if (textAt(status, 'status') === 'Success') return { code: 0 };
  const causes = mappingsAt(mappingAt(status, 'details'), 'causes');
  const code = Number(textAt(causes.find(cause => textAt(cause, 'reason') === 'ExitCode') ?? {}, 'message'));
  return Number.isInteger(code) ? { code } : { failure: textAt(status, 'message') ?? text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
