// The services of `cluster/apps`: each counts its visits and answers with its name, the path and the count.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { here } from '../../cluster/paths.ts';

/** The sources, for VS Code to work on a copy: nothing has been built there. */
export const sources: string = join(here, 'apps');

export interface Sample {
  /** Of the Deployment, and first in its answer. */
  readonly name: string;
  /** As the row calls it. */
  readonly runtime: string;
  readonly file: string;
  /** Line of `file` at which the answer is made, counted from 1. */
  readonly line: number;
  /** Around a text, where this debugger shows one. */
  readonly quote: string;
}

function sample(name: string, runtime: string, path: string, text: string, quote: string): Sample {
  const file = join(name, path);
  const lines = readFileSync(join(sources, file), 'utf8').split('\n');
  const line = lines.findIndex(each => each.includes(text)) + 1;
  if (line === 0) throw new Error(`${file} has no line with ${text}`);
  return { name, runtime, file, line, quote };
}

export const samples: readonly Sample[] = [
  sample('node', 'Node.js', 'src/server.ts', 'return `node', "'"),
  sample('python', 'Python', 'server.py', 'return f"python', "'"),
  sample('go', 'Go', 'main.go', 'return fmt.Sprintf("go', '"'),
  sample('java', 'Java', 'Server.java', 'return "java', '"'),
];
