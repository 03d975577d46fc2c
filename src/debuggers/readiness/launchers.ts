/** Programs that start Node for something else, by the path of their script. */
const LAUNCHER =
  /(?:^|\/)node_modules\/(npm|yarn|pnpm|corepack|nodemon|ts-node-dev|tsx|@nestjs\/cli|concurrently|npm-run-all2?|cross-env|dotenv-cli|env-cmd|turbo|nx|lerna)\//;
const LAUNCHER_FILE = /\/(npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack|nodemon)(?:-cli)?(?:-[\d.]+)?(?:\.c?js)?$/;

/** The path in a target's `file:` URL; Node writes paths as they are, others percent-encode them. */
export function pathOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !/^file:\/\/\/|^\//.test(url)) return undefined;
  const path = url.replace(/^file:\/\//, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The name of the launcher whose script a target runs, if it is one. */
export function launcherOf(url: unknown): string | undefined {
  const path = pathOf(url);
  return path === undefined ? undefined : (LAUNCHER.exec(path) ?? LAUNCHER_FILE.exec(path))?.[1];
}
