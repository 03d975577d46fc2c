import { forgetOldest } from '../../lib/forgetOldest.ts';
import { isMapping } from '../../lib/mapping.ts';
import { podKey } from './objects.ts';
import { badRequest } from './status.ts';

/** As much as every object has. */
export interface Listable {
  readonly metadata: Readonly<{ name: string; namespace: string }>;
}

/** Objects of one kind that can be listed, and nothing more: what the node and its programs write beside the pods. */
export class Listed<T extends Listable> {
  private readonly objects = new Map<string, T>();
  private readonly kind: string;
  private readonly apiVersion: string;
  private readonly most: number;

  constructor(kind: string, apiVersion: string, most = 1000) {
    this.kind = kind;
    this.apiVersion = apiVersion;
    this.most = most;
  }

  get(namespace: string, name: string): T | undefined {
    return this.objects.get(podKey(namespace, name));
  }

  put(object: T): void {
    this.objects.set(podKey(object.metadata.namespace, object.metadata.name), object);
    forgetOldest(this.objects, this.most);
  }

  delete(namespace: string, name: string): void {
    this.objects.delete(podKey(namespace, name));
  }

  /** The answer to a list. Throws 400 for a selector that cannot be read. */
  list(namespace: string | undefined, query: URLSearchParams, version: number): object {
    const tests = (query.get('fieldSelector') ?? '').split(',').filter(Boolean).map(fieldTest);
    const items = [...this.objects.values()].filter(
      object =>
        (namespace === undefined || object.metadata.namespace === namespace) && tests.every(test => test(object)),
    );
    const metadata = { resourceVersion: String(version) };
    return { kind: `${this.kind}List`, apiVersion: this.apiVersion, metadata, items };
  }
}

function fieldTest(term: string): (object: Listable) => boolean {
  const [, path = '', operator, wanted] = /^([\w.]+)(!=|==|=)(.*)$/.exec(term) ?? [];
  if (operator === undefined) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  return object => {
    let value: unknown = object;
    for (const name of path.split('.')) value = isMapping(value) ? value[name] : undefined;
    return (value === wanted) === (operator !== '!=');
  };
}
