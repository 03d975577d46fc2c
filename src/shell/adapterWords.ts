import { type Fields, fields } from './fields.ts';

const most = 20;

/** Keeps the last things that a debug adapter said, to explain why a session did not start. */
export class AdapterWords {
  private said: string[] = [];

  /** An event or a response from the adapter (Debug Adapter Protocol). */
  fromAdapter(message: unknown): void {
    const { type, event, success, command, body, message: text } = fields(message);
    const { output, category, error } = fields(body);
    if (type === 'event' && event === 'output' && category !== 'telemetry') this.say(output);
    else if (type === 'response' && success === false && (command === 'attach' || command === 'initialize'))
      this.say(formatted(fields(error)) ?? text);
  }

  /** What was said, the last words first to be kept; `undefined` when nothing was. */
  get text(): string | undefined {
    return this.said.length > 0 ? this.said.join('; ') : undefined;
  }

  /** Words from elsewhere, such as the error of the adapter’s process. */
  say(text: unknown): void {
    if (typeof text !== 'string' || text.trim() === '') return;
    this.said = [...this.said, text.trim()].slice(-most);
  }
}

/** A DAP error message with its variables put in. */
function formatted({ format, variables }: Fields): string | undefined {
  if (typeof format !== 'string') return undefined;
  const values = fields(variables);
  return format.replace(/\{(\w+)\}/g, (whole, name: string) =>
    typeof values[name] === 'string' ? values[name] : whole,
  );
}
