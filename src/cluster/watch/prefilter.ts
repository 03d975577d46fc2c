import { triggers } from '../detect/triggers.ts';

/**
 * A search in bytes is many times faster than `JSON.parse`, and most pods cannot be debugged: only pods whose JSON has
 * one of the triggers of detection are parsed. What passes in vain costs a parse, nothing else.
 *
 * Each trigger has one of these words in it (a test holds that), but for `kc.sh`: it counts only together with `--debug`
 * or the variable DEBUG, and as a word of its own it would cost as much as all the others. The words are looked for first, because an expression of
 * all triggers takes six times as long: with words that begin with few different letters the engine can skip ahead.
 */
const words =
  /jdwp|jpda|JPDA|inspect|debug|DEBUG|ptvsd|pydevd|python.l|dlv|dless|devtools|dap"|dotnet|dbserver|db-server|DOTNET|ASPNET|dbg|dev\/run-id|dalone\.sh|nest[ "]/;

const anyTrigger = new RegExp(triggers.map(text => text.replace(/[^\w\s"/:-]/g, '\\$&')).join('|'));

/**
 * Whether JSON of a pod, read as Latin-1 (triggers are ASCII), can hold a container that detection lists or remarks on.
 * `more` are further words for which it is.
 */
export const mayBeListed = (json: string, more: readonly string[] = []): boolean =>
  (words.test(json) && anyTrigger.test(json)) || more.some(word => json.includes(word));

/** What the first bytes of a watch event tell of its pod. */
export interface FrameHead {
  /** Namespace and name, as `podKey` makes it. */
  readonly key: string;
  readonly resourceVersion: string;
}

/** Namespace and name; neither may contain a slash. */
export const podKey = (namespace: string | undefined, name: string | undefined): string => `${namespace}/${name}`;

/** The order in which API servers write fields (apimachinery `ObjectMeta`); names and versions need no JSON escapes. */
const head =
  /^\{"type":"(?:ADDED|MODIFIED|DELETED)","object":\{"kind":"Pod","apiVersion":"v1","metadata":\{"name":"([^"\\]+)",(?:"generateName":"[^"\\]*",)?"namespace":"([^"\\]+)",(?:"selfLink":"[^"\\]*",)?"uid":"[^"\\]*","resourceVersion":"([^"\\]+)"/;

/** Reads a watch event's head without parsing it; `undefined` when it is written in another way and must be parsed. */
export function headOf(json: string): FrameHead | undefined {
  const found = head.exec(json);
  return found ? { key: podKey(found[2], found[1]), resourceVersion: found[3]! } : undefined;
}
