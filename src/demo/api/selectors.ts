import type { Pod } from './objects.ts';
import { badRequest } from './status.ts';

/** Whether a pod is among those that a request asks for. */
export type PodFilter = (pod: Pod) => boolean;

/** Both selectors of a query, and the namespace. Throws 400 as the API server does. */
export function podFilter(namespace: string | undefined, query: URLSearchParams): PodFilter {
  const tests = [
    ...labelTests(query.get('labelSelector') ?? ''),
    ...fieldTests(query.get('fieldSelector') ?? ''),
    ...(namespace === undefined ? [] : [(pod: Pod) => pod.metadata.namespace === namespace]),
  ];
  return pod => tests.every(test => test(pod));
}

const FIELDS: Readonly<Record<string, (pod: Pod) => string>> = {
  'metadata.name': pod => pod.metadata.name,
  'metadata.namespace': pod => pod.metadata.namespace,
  'spec.nodeName': pod => pod.spec.nodeName ?? '',
  'spec.restartPolicy': pod => pod.spec.restartPolicy,
  'spec.schedulerName': () => 'default-scheduler',
  'spec.serviceAccountName': () => 'default',
  'spec.hostNetwork': () => 'false',
  'status.phase': pod => pod.status.phase,
  'status.podIP': pod => pod.status.podIP ?? '',
  'status.nominatedNodeName': () => '',
};

function fieldTests(selector: string): PodFilter[] {
  return selector
    .split(',')
    .filter(term => term !== '')
    .map(term => {
      const parts = /^([^!=]+)(!=|==|=)(.*)$/.exec(term);
      if (!parts) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
      const [, field = '', operator, wanted] = parts;
      const read = FIELDS[field];
      if (!read) throw badRequest(`field label not supported: ${field}`);
      return (pod: Pod) => (read(pod) === wanted) === (operator !== '!=');
    });
}

const TERM = /^\s*(?:(!?)\s*([\w./-]+)|([\w./-]+)\s*(==|=|!=)\s*([\w.-]*)|([\w./-]+)\s+(in|notin)\s*\(([^)]*)\))\s*$/;

function labelTests(selector: string): PodFilter[] {
  return splitTerms(selector).map(term => {
    const parts = TERM.exec(term);
    if (!parts) throw unreadable(term);
    const [, not, presence, equalKey, operator, wanted, setKey, setOperator, values] = parts;
    if (presence !== undefined) return pod => (labelOf(pod, presence) !== undefined) === (not === '');
    if (equalKey !== undefined) return pod => (labelOf(pod, equalKey) === wanted) === (operator !== '!=');
    const accepted = new Set((values ?? '').split(',').map(item => item.trim()));
    return pod => accepted.has(labelOf(pod, setKey!) ?? '\0') === (setOperator === 'in');
  });
}

/** Commas inside the parentheses of `in (a, b)` do not part terms. */
const splitTerms = (selector: string): string[] => selector.match(/[^,(]+(?:\([^)]*\))?/g) ?? [];

const labelOf = (pod: Pod, key: string): string | undefined => pod.metadata.labels?.[key];

function unreadable(term: string) {
  const [, found = ''] = term.trim().split(/\s+/);
  return badRequest(`unable to parse requirement: found '${found}', expected: in, notin, =, ==, !=, gt, lt`);
}
