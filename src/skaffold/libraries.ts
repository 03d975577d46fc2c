/**
 * YAML, in one place that is only ever imported by `await import('./libraries.ts')`: the build makes it a bundle of its own,
 * which loads when there is a project of Skaffold's to read.
 */
export { type Document, isCollection, LineCounter, parseAllDocuments, visit } from 'yaml';
