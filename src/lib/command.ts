import fs from 'node:fs';
import path from 'node:path';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A command as `spawn` takes it. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly isVerbatim: boolean;
}

/**
 * What to start for a command and its arguments. On Windows, where a command is found with the extensions of PATHEXT
 * and Node starts batch files not at all (CVE-2024-27980), those go through `cmd.exe`. Undefined when it is not found
 * there; elsewhere the system finds it.
 */
export function commandOf(
  file: string,
  args: readonly string[],
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): Command | undefined {
  if (platform !== 'win32') return { file, args, isVerbatim: false };
  const found = findProgram(file, env, platform);
  if (!found || !/\.(cmd|bat)$/i.test(found)) return found ? { file: found, args, isVerbatim: false } : undefined;
  const line = [found, ...args].map(quoteForCmd).join(' ');
  return { file: env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

/** The file that is started for a name or a path: looked up as the platform does it. Undefined when there is none. */
export function findProgram(
  name: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return platform === 'win32' ? findOnWindows(name, env) : findOnPosix(name, env);
}

function findOnWindows(file: string, env: Environment): string | undefined {
  const extensions = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const directories = /[/\\]/.test(file) ? [''] : (env['PATH'] ?? env['Path'] ?? '').split(';').filter(Boolean);
  const names = path.win32.extname(file) ? [file, ...extensions.map(e => file + e)] : extensions.map(e => file + e);
  return directories.flatMap(d => names.map(name => (d ? path.join(d, name) : name))).find(isFile);
}

function findOnPosix(file: string, env: Environment): string | undefined {
  const directories = file.includes('/') ? [''] : (env['PATH'] ?? '').split(':').filter(Boolean);
  return directories.map(d => path.join(d, file)).find(found => isFile(found) && isExecutable(found));
}

const isFile = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** One argument for `cmd.exe`: quoted for the program, then everything that means something to `cmd` escaped. */
function quoteForCmd(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return quoted.replace(/[()%!^"<>&|]/g, '^$&');
}
