import type * as names from './gen/enums.ts';
import type * as suggestions from './gen/suggestions.ts';

/** The numbers behind the names of enumerations, from the generated code. */
export type Enums = Omit<typeof names & typeof suggestions, 'protobufPackage' | 'protobufFileName'>;

type Numbers = Readonly<Record<string, number>>;

/**
 * Turns messages as gRPC has them (enumerations are numbers, what is not set is undefined) into the shape that Skaffold
 * gives them in JSON (names, and null), and back.
 */
export class EnumNames {
  /** By the name of a field, where that is not enough by the message's and the field's. */
  private readonly enums: ReadonlyMap<string, Numbers>;

  constructor(all: Enums) {
    this.enums = new Map<string, Numbers>([
      ['errCode', all.StatusCode],
      ['statusCode', all.StatusCode],
      ['suggestionCode', all.SuggestionCode],
      ['level', all.LogLevel],
      ['cluster', all.ClusterType],
      ['builders.type', all.BuilderType],
      ['artifacts.type', all.BuilderType],
      ['deployers.type', all.DeployerType],
      ['Testers.type', all.TesterType],
      ['Renderers.type', all.RenderType],
      ['build.type', all.BuildType],
    ]);
  }

  /** `at` is the name of the field that the message is in. */
  withNames(message: object, at: string): Record<string, unknown> {
    return mapped(message, (name, value) => this.named(name, value, at));
  }

  /** The reverse; a name that no enumeration has becomes its zero. */
  withNumbers(message: object, at: string): Record<string, unknown> {
    return mapped(message, (name, value) => this.numbered(name, value, at));
  }

  private named(name: string, value: unknown, at: string): unknown {
    if (Array.isArray(value)) return value.map((one: unknown) => (isMessage(one) ? this.withNames(one, name) : one));
    if (isMessage(value)) return isMap(name) ? inOrder(value) : this.withNames(value, name);
    if (value === undefined) return null; // a message that is not set
    const numbers = this.numbersOf(name, at);
    if (numbers === undefined || typeof value !== 'number') return value;
    return Object.keys(numbers).find(key => numbers[key] === value) ?? value;
  }

  private numbered(name: string, value: unknown, at: string): unknown {
    if (Array.isArray(value)) return value.map((one: unknown) => (isMessage(one) ? this.withNumbers(one, name) : one));
    if (isMessage(value)) return isMap(name) ? value : this.withNumbers(value, name);
    const numbers = this.numbersOf(name, at);
    if (numbers === undefined || typeof value !== 'string') return value;
    return Object.hasOwn(numbers, value) ? numbers[value] : 0;
  }

  private numbersOf(name: string, at: string): Numbers | undefined {
    return this.enums.get(name) ?? this.enums.get(`${at}.${name}`);
  }
}

const isMessage = (value: unknown): value is object => typeof value === 'object' && value !== null;

const mapped = (message: object, change: (name: string, value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(message).map(([name, value]) => [name, change(name, value)]));

/** Maps have keys that somebody chose, not names of the proto. */
const maps: ReadonlySet<string> = new Set(['debugPorts', 'additional', 'artifacts', 'resources']);

const isMap = (name: string): boolean => maps.has(name);

/** Skaffold sends the entries of a map in another order each time, in JSON by key; the replay has to be like the event. */
const inOrder = (map: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
