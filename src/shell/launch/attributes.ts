import { UserError } from '../../core/errors.ts';
import type { Fields } from '../fields.ts';

/** `what` names the attribute as in launch.json; `expected` ends "has to be". */
const attributeWrong = (name: string, what: string, expected: string, value: unknown): UserError =>
  new UserError('launch-attribute', `"${what}" of the launch configuration "${name}" has to be ${expected}.`, {
    cause: `it is ${(JSON.stringify(value) ?? String(value)).slice(0, 200)}`,
    remedy: 'Correct it in launch.json.',
    actions: [{ kind: 'command', label: 'Open launch.json', command: 'workbench.action.debug.configure' }],
  });

/** Which numbers are right, and the words for them. */
export type NumberRange = Readonly<{ least: number; most?: number; isWhole?: boolean; words: string }>;

/**
 * Reads the attributes of one launch configuration. What is absent (or null) is undefined; what is of a wrong type is a
 * `UserError` that names the attribute.
 */
export class Attributes {
  private readonly of: Fields;
  private readonly name: string;
  /** Comes before the names of attributes: `artifacts[0].`. */
  private readonly prefix: string;

  constructor(of: Fields, name: string, prefix = '') {
    this.of = of;
    this.name = name;
    this.prefix = prefix;
  }

  /** Text that is not blank; blank counts as absent, as people leave it in a template. */
  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw this.wrong(key, 'text', value);
    return value.trim() || undefined;
  }

  texts(key: string, expected = 'a list of text'): readonly string[] {
    const value = this.value(key) ?? [];
    const isRight = Array.isArray(value) && value.every(item => typeof item === 'string' && item.trim() !== '');
    if (!isRight) throw this.wrong(key, expected, value);
    return value as readonly string[];
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    if (value !== undefined && typeof value !== 'boolean') throw this.wrong(key, 'true or false', value);
    return value;
  }

  number(key: string, { least, most = Number.MAX_SAFE_INTEGER, isWhole, words }: NumberRange): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const isRight =
      typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value));
    if (!isRight) throw this.wrong(key, words, value);
    return value;
  }

  oneOf<T extends string>(key: string, values: readonly T[]): T | undefined {
    const value = this.value(key);
    const found = values.find(one => one === value);
    if (value !== undefined && found === undefined) throw this.wrong(key, `one of ${values.join(', ')}`, value);
    return found;
  }

  /** A mapping of names to text. */
  variables(key: string): Readonly<Record<string, string>> {
    const values = this.mapping(key) ?? {};
    for (const [name, value] of Object.entries(values))
      if (typeof value !== 'string') throw this.wrong(`${key}.${name}`, 'text, in quotes', value);
    return values as Readonly<Record<string, string>>;
  }

  mapping(key: string): Fields | undefined {
    const value = this.value(key);
    if (value !== undefined && !isMapping(value)) throw this.wrong(key, 'an object', value);
    return value;
  }

  /** A list of objects, each with its own attributes. */
  items(key: string): readonly Attributes[] {
    const value = this.value(key) ?? [];
    if (!Array.isArray(value)) throw this.wrong(key, 'a list of objects', value);
    return value.map((item: unknown, index) => {
      if (!isMapping(item)) throw this.wrong(`${key}[${index}]`, 'an object', item);
      return new Attributes(item, this.name, `${this.prefix}${key}[${index}].`);
    });
  }

  wrong(key: string, expected: string, value: unknown): UserError {
    return attributeWrong(this.name, this.prefix + key, expected, value);
  }

  private value(key: string): unknown {
    return this.of[key] ?? undefined;
  }
}

const isMapping = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
