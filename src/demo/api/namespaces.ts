import { shortDuration } from './podTable.ts';
import { notFound } from './status.ts';

const COLUMNS = ['Name', 'Status', 'Age'].map(name => ({
  name,
  type: 'string',
  format: name === 'Name' ? 'name' : '',
  description: name,
  priority: 0,
}));

/** The namespaces of the demo cluster; they neither come nor go. */
export class Namespaces {
  private readonly names: readonly string[];
  private readonly createdAt = new Date();

  constructor(names: readonly string[]) {
    this.names = [...names].sort();
  }

  get(name: string): object {
    if (!this.names.includes(name)) throw notFound('namespaces', name);
    return { kind: 'Namespace', apiVersion: 'v1', ...this.object(name) };
  }

  list(version: number): object {
    const metadata = { resourceVersion: String(version) };
    return { kind: 'NamespaceList', apiVersion: 'v1', metadata, items: this.names.map(name => this.object(name)) };
  }

  table(version: number, only?: string): object {
    const rows = (only === undefined ? this.names : [only]).map(name => ({
      cells: [name, 'Active', shortDuration(Math.floor((Date.now() - this.createdAt.getTime()) / 1000))],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: this.object(name).metadata },
    }));
    const metadata = { resourceVersion: String(version) };
    return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: COLUMNS, rows };
  }

  private object(name: string) {
    const creationTimestamp = this.createdAt.toISOString().replace(/\.\d+/, '');
    return {
      metadata: { name, creationTimestamp, resourceVersion: '1', labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    };
  }
}
