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
  /** The first line that does something when the program starts. */
  readonly firstLine: number;
  /** Around a text, where this debugger shows one. */
  readonly quote: string;
  /** What makes its container wait for a debugger. */
  readonly waiting: Readonly<Record<string, unknown>>;
  /** That is told by the row. A dlv without --continue is attached to like any other. */
  readonly isKnownToWait: boolean;
}

interface Given extends Pick<Sample, 'runtime' | 'quote' | 'waiting'> {
  readonly path: string;
  /** In the line of the answer, and in the first line. */
  readonly texts: readonly [answer: string, first: string];
}

function sample(name: string, { path, texts, ...given }: Given): Sample {
  const file = join(name, path);
  const lines = readFileSync(join(sources, file), 'utf8').split('\n');
  const [line, firstLine] = texts.map(text => {
    const at = lines.findIndex(each => each.includes(text)) + 1;
    if (at === 0) throw new Error(`${file} has no line with ${text}`);
    return at;
  });
  return { name, file, line: line!, firstLine: firstLine!, isKnownToWait: name !== 'go', ...given };
}

export const samples: readonly Sample[] = [
  sample('node', {
    runtime: 'Node.js',
    path: 'src/server.ts',
    texts: ['return `node', 'let visits'],
    quote: "'",
    waiting: { command: ['node', '--inspect-brk=0.0.0.0:9229', 'dist/server.js'] },
  }),
  sample('python', {
    runtime: 'Python',
    path: 'server.py',
    texts: ['return f"python', 'import signal'],
    quote: "'",
    waiting: {
      command: ['python3', '-m', 'debugpy', '--listen', '0.0.0.0:5678', '--wait-for-client', '/app/server.py'],
    },
  }),
  sample('go', {
    runtime: 'Go',
    path: 'main.go',
    texts: ['return fmt.Sprintf("go', 'http.HandleFunc("/ready"'],
    quote: '"',
    waiting: {
      command: [
        'dlv',
        'exec',
        '--headless',
        '--accept-multiclient',
        '--listen=:56268',
        '--api-version=2',
        '/app/server',
      ],
    },
  }),
  sample('java', {
    runtime: 'Java',
    path: 'Server.java',
    texts: ['return "java', 'HttpServer server ='],
    quote: '"',
    waiting: {
      env: [
        {
          name: 'JAVA_TOOL_OPTIONS',
          value: '-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005,suspend=y,quiet=y',
        },
      ],
    },
  }),
];

/** A strategic merge patch; the old pod goes first, since the new one is ready only after somebody has attached. */
export const waitingPatch = ({ waiting }: Sample): string =>
  JSON.stringify({
    spec: {
      strategy: { type: 'Recreate', rollingUpdate: null },
      template: { spec: { containers: [{ name: 'web', ...waiting }] } },
    },
  });
