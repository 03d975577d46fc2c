import { codes } from '../proto/codes.ts';
import { Refused } from './problems.ts';

const phases = ['build', 'sync', 'deploy', 'devloop'] as const;

/** A `UserIntentRequest` of the body `{"devloop":true}`. Throws `Refused`. */
export function intentOf(body: unknown): object {
  const fields = fieldsOf(body);
  return { intent: Object.fromEntries(phases.map(name => [name, booleanOf(fields, name) ?? false])) };
}

/** A `TriggerRequest` of the body `{"enabled":true}`; what is not said is for Skaffold to refuse. Throws `Refused`. */
export function triggerOf(body: unknown): object {
  const enabled = booleanOf(fieldsOf(body), 'enabled');
  return { state: enabled === undefined ? {} : { enabled } };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new Refused(codes.INVALID_ARGUMENT, 'The body has to be a JSON object.');
}

function booleanOf(fields: Readonly<Record<string, unknown>>, name: string): boolean | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  throw new Refused(codes.INVALID_ARGUMENT, `"${name}" has to be true or false.`);
}
