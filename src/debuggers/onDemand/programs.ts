import { oneLine } from '../../lib/plainText.ts';
import { launcherOf } from '../readiness/launchers.ts';
import type { Look, NodeProcess } from './processes.ts';

/** Where SIGUSR1 opens the inspector, unless the program was told otherwise (Node, `--inspect-port`). */
const DEFAULT_PORT = 9229;

/** Flags of Node that take their value from the next argument. */
const WITH_VALUE = /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--title)$/;

/** Names that package managers give their own process (`process.title`). */
const LAUNCHER_TITLE = /^(?:npm|npx|yarn|pnpm|corepack|nodemon)\b(?!.*\.[cm]?[jt]s\b)/;

/** The processes that run the container's own program: not its neighbours', and no npm, yarn or nodemon. */
export function programsIn(look: Look): readonly NodeProcess[] {
  const here = look.processes.filter(({ elsewhere }) => !elsewhere);
  const same = here.filter(({ host }) => host === look.host);
  // A program that was started with an environment of its own has no HOSTNAME.
  const ours = same.length > 0 ? same : here.filter(({ host }) => host === undefined);
  return ours.filter(process => launcherName(process) === undefined && !watches(process, ours));
}

/** The launchers among them, by name: for people. */
export const launchersIn = ({ processes }: Look): readonly string[] =>
  processes.map(launcherName).filter(name => name !== undefined);

/** The port on which its inspector is or will be; 0 is a free one. */
export function inspectorPortOf({ command, options }: NodeProcess): number {
  const words = [...options.split(/\s+/), ...flagsOf(command)];
  const given = words.flatMap((word, i) => {
    const [, name, value] = /^--(inspect(?:-brk|-wait|-port)?|debug-port)(?:=(.*))?$/.exec(word) ?? [];
    if (name === undefined) return [];
    const said = value ?? (name.endsWith('port') ? words[i + 1] : undefined);
    const port = Number(said?.split(':').pop());
    return said !== undefined && Number.isInteger(port) ? [port] : [];
  });
  return given.at(-1) ?? DEFAULT_PORT;
}

/** A process in one line, for people. */
export const processText = ({ pid, command }: NodeProcess): string => `${pid} ${oneLine(command.join(' '), 200)}`;

/** Node's own arguments: those before the script. */
function flagsOf([, ...args]: readonly string[]): readonly string[] {
  return args.slice(0, scriptIndex(args));
}

function scriptIndex(args: readonly string[]): number {
  const index = args.findIndex(
    (word, i) =>
      !word.startsWith('-') &&
      !WITH_VALUE.test(args[i - 1] ?? '') &&
      !/^--(?:inspect|debug)-port$/.test(args[i - 1] ?? ''),
  );
  return index < 0 ? args.length : index;
}

function launcherName({ command, cwd }: NodeProcess): string | undefined {
  const [first = '', ...args] = command;
  const title = LAUNCHER_TITLE.exec(command.join(' '))?.[0];
  if (title !== undefined && !first.includes('/')) return title;
  const script = args[scriptIndex(args)];
  if (script === undefined) return undefined;
  const path = script.startsWith('/') ? script : `${cwd}/${script}`;
  return launcherOf(path.replace(/\/\.bin\/([^/]+)$/, '/$1/$1'));
}

/** `node --watch` starts its program as a process of its own. */
const watches = ({ pid, command }: NodeProcess, all: readonly NodeProcess[]): boolean =>
  flagsOf(command).some(word => /^--watch(?:-path=.*)?$/.test(word)) && all.some(({ parent }) => parent === pid);
