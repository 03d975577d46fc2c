import type { ServerResponse } from 'node:http';
import type { Container } from '../kubelet/container.ts';
import type { ContainerLog, LogLine } from '../kubelet/log.ts';
import type { Kubelet } from '../kubelet/kubelet.ts';
import { numberOf } from './listPods.ts';
import type { Pod } from './objects.ts';
import { isTrue } from './requestInfo.ts';
import { badRequest, internalError } from './status.ts';

/** Answers `GET pods/NAME/log`. Throws a `StatusError` before the first byte only. */
export function sendPodLog(kubelet: Kubelet, pod: Pod, query: URLSearchParams, response: ServerResponse): void {
  const name = containerName(pod, query.get('container') ?? '');
  const container = kubelet.find(pod.metadata.namespace, pod.metadata.name)?.container(name);
  if (!container) throw internalError(`container "${name}" has no log on this node`);
  const log = logOf(container, pod, isTrue(query.get('previous')));
  const format = isTrue(query.get('timestamps')) ? withTime : plain;
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write(chosenLines(log, query).map(format).join(''));
  if (!isTrue(query.get('follow')) || log.ended) response.end();
  else follow(log, format, response);
}

/** The container that a request names, or the only one of the pod. Throws 400. */
export function containerName(pod: Pod, asked: string): string {
  const names = pod.spec.containers.map(container => container.name);
  if (asked === '' && names.length === 1) return names[0]!;
  if (names.includes(asked)) return asked;
  if (asked !== '') throw badRequest(`container ${asked} is not valid for pod ${pod.metadata.name}`);
  throw badRequest(
    `a container name must be specified for pod ${pod.metadata.name}, choose one of: [${names.join(' ')}]`,
  );
}

function logOf(container: Container, pod: Pod, previous: boolean): ContainerLog {
  const { name } = container.template;
  const log = previous ? container.previousLog : container.log;
  if (log) return log;
  if (previous) throw badRequest(`previous terminated container "${name}" in pod "${pod.metadata.name}" not found`);
  const reason = container.status.state.waiting?.reason ?? 'ContainerCreating';
  throw badRequest(`container "${name}" in pod "${pod.metadata.name}" is waiting to start: ${reason}`);
}

function chosenLines(log: ContainerLog, query: URLSearchParams): readonly LogLine[] {
  const seconds = numberOf(query, 'sinceSeconds');
  const sinceTime = Date.parse(query.get('sinceTime') ?? '');
  const fromMs = seconds === undefined ? (Number.isNaN(sinceTime) ? 0 : sinceTime) : Date.now() - seconds * 1000;
  const lines = log.lines.filter(line => line.at.getTime() >= fromMs);
  const tail = numberOf(query, 'tailLines');
  return tail === undefined ? lines : lines.slice(Math.max(0, lines.length - tail));
}

const plain = (line: LogLine) => `${line.text}\n`;
const withTime = (line: LogLine) => `${line.at.toISOString().replace('Z', '000000Z')} ${line.text}\n`;

function follow(log: ContainerLog, format: (line: LogLine) => string, response: ServerResponse): void {
  response.flushHeaders();
  const lines = log.onDidAdd(line => response.write(format(line)));
  const end = log.onDidEnd(() => response.end());
  response.once('close', () => {
    lines.dispose();
    end.dispose();
  });
}
