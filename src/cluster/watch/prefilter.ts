/**
 * A byte search is many times faster than `JSON.parse`, and most pods cannot be debugged: their JSON is searched for the
 * words that every sign of a debugger contains, and only pods that have one are parsed. Whatever `Detect` can list must
 * pass here (a test holds that); what passes in vain only costs a parse.
 *
 * Two steps, because one expression with all the detail takes twice the time of the first: lower-case words that begin
 * with few different letters let the regular expression engine skip ahead.
 */
const words = /jdwp|jpda|inspect|debug|ptvsd|pydevd|dlv|devtools|dap"|dotnet|DEBUG|DOTNET|JPDA|JDWP|ASPNET/;

const signs = new RegExp(
  [
    'debug\\.cloud\\.google\\.com', // the annotation
    'jdwp|JDWP|jpda|JPDA|Xdebug', // Java, Tomcat
    '-inspect|-debug|inspect-brk', // Node.js, Nest, Keycloak, WildFly
    'debugpy|ptvsd|pydevd',
    'dlv|devtools|dap"', // port names too
    'dotnet|DOTNET|ASPNET',
    '"name": ?"\\w*(?:DEBUG|debug)', // variables and ports
  ].join('|'),
);

/** Whether JSON of a pod (as Latin-1: the signs are ASCII) can hold a container that `Detect` lists. */
export const mayBeListed = (json: string): boolean => words.test(json) && signs.test(json);

/** What the first bytes of a watch event tell of its pod. */
export interface FrameHead {
  /** Namespace and name, as `podKey` makes it. */
  readonly key: string;
  readonly resourceVersion: string;
}

/** Namespace and name; neither may contain a slash. */
export const podKey = (namespace: string | undefined, name: string | undefined): string => `${namespace}/${name}`;

/** The order in which API servers write fields (`ObjectMeta` of apimachinery); names and versions need no JSON escapes. */
const head =
  /^\{"type":"(?:ADDED|MODIFIED|DELETED)","object":\{"kind":"Pod","apiVersion":"v1","metadata":\{"name":"([^"\\]+)",(?:"generateName":"[^"\\]*",)?"namespace":"([^"\\]+)",(?:"selfLink":"[^"\\]*",)?"uid":"[^"\\]*","resourceVersion":"([^"\\]+)"/;

/** Reads a watch event's head without parsing it; `undefined` when it is written in another way and must be parsed. */
export function headOf(json: string): FrameHead | undefined {
  const found = head.exec(json);
  return found ? { key: podKey(found[2], found[1]), resourceVersion: found[3]! } : undefined;
}
