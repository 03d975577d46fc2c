import type { Fields } from './fields.ts';
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
  withNames(message: object, at: string): Fields {
    return this.turned(message, at, toNames);
  }

  /** The reverse; a name that no enumeration has becomes its zero. */
  withNumbers(message: object, at: string): Fields {
    return this.turned(message, at, toNumbers);
  }

  private turned(message: object, at: string, turn: Turn): Fields {
    const part = (name: string, value: unknown): unknown => {
      if (Array.isArray(value))
        return value.map((one: unknown) => (isMessage(one) ? this.turned(one, name, turn) : one));
      if (isMessage(value)) return maps.has(name) ? turn.map(value) : this.turned(value, name, turn);
      return turn.value(value, this.numbersOf(name, at));
    };
    return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, part(name, value)]));
  }

  private numbersOf(name: string, at: string): Numbers | undefined {
    return this.enums.get(name) ?? this.enums.get(`${at}.${name}`);
  }
}

/** What becomes of the parts of a message; `numbers` are there where a value is an enumeration's. */
interface Turn {
  map(map: object): object;
  value(value: unknown, numbers: Numbers | undefined): unknown;
}

const isMessage = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Maps have keys that somebody chose, not names of the proto. */
const maps: ReadonlySet<string> = new Set(['debugPorts', 'additional', 'artifacts', 'resources']);

/** Skaffold sends the entries of a map in another order each time, in JSON by key; the replay has to be like the event. */
const inOrder = (map: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const toNames: Turn = {
  map: inOrder,
  value(value, numbers) {
    if (value === undefined) return null; // a message that is not set
    if (numbers === undefined || typeof value !== 'number') return value;
    return Object.keys(numbers).find(key => numbers[key] === value) ?? value;
  },
};

const toNumbers: Turn = {
  map: map => map,
  value(value, numbers) {
    if (numbers === undefined || typeof value !== 'string') return value;
    return Object.hasOwn(numbers, value) ? numbers[value] : 0;
  },
};
