import { rawText, UserError, failureOf, failureText } from '../core/errors.ts';
import { configCommand } from './config.ts';
import { detectCommand } from './detect.ts';
import { explainCommand } from './explain.ts';
import { followCommand } from './follow.ts';
import { forwardCommand } from './forward.ts';
import { UsageError } from './options.ts';
import { type Output, processOutput } from './output.ts';
import { replayCommand } from './replay.ts';
import { serveCommand } from './serve.ts';
import { watchCommand } from './watch.ts';

type Command = (args: readonly string[], output: Output, signal: AbortSignal) => Promise<void>;

const commands: Readonly<Record<string, Command>> = Object.freeze({
  detect: detectCommand,
  watch: watchCommand,
  forward: forwardCommand,
  config: configCommand,
  explain: explainCommand,
  replay: replayCommand,
  follow: followCommand,
  serve: serveCommand,
});

const usage = `Usage: npm run -s headless -- COMMAND [OPTIONS]

  detect [FILE]                                   what the set-up of each container says (stdin without FILE)
  watch                                           rows and events of a cluster as they change
  forward --pod P --port N [--local L]            a local port that leads to a port of a pod
  config --pod P [--container C] [--workspace D]  the debug configuration that a click would start
         [--from FILE]                            … for pods of a file in place of a cluster
  explain --pod P [--container C] [--workspace D] the chain from Skaffold to a breakpoint, link by link
          [--from FILE]                           … for pods of a file in place of a cluster
  replay FILE…                                    recorded streams of Skaffold as the log has them, then the rows
  follow --rpc-port N [--drain-timeout MS]        what a running Skaffold says, and how the last of it was drained
  serve [--grpc-port N] [--http-port N]           the events for other programs, with Skaffold's API on this machine alone
        [--skaffold PORT]                         … those of a running Skaffold too

  --kubeconfig FILE  --context NAME  --namespace NAME (repeatable; * for all)
  --for SECONDS   ends watch, forward, follow and serve by itself; else they run until Ctrl+C

One JSON object a line on stdout, messages on stderr; exit code 0, 1 (failed) or 2 (usage).`;

/** Runs one command; resolves with the exit code: 0, 1 (failed, reason on stderr) or 2 (usage). */
export async function main(argv: readonly string[], output: Output, signal: AbortSignal): Promise<number> {
  const [name, ...args] = argv;
  if (name === '--help' || name === 'help') {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  try {
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(name === undefined ? 'no command given' : `no command "${name}"`);
    await command(args, output, signal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}\n`);
      return 2;
    }
    output.say(error instanceof UserError ? failureText(failureOf(error)) : `Unexpected error: ${rawText(error)}`);
    return 1;
  }
}

/** Signals within this time, in milliseconds, are one; a later one ends the command at once. */
const SAME_WISH_MS = 500;

if (import.meta.main) {
  const interrupted = new AbortController();
  let askedAt: number | undefined;
  const interrupt = () => {
    // npm passes a signal on that the terminal has sent to both: that is one wish.
    if (askedAt !== undefined && performance.now() - askedAt > SAME_WISH_MS) process.exit(130);
    askedAt ??= performance.now();
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  // A reader that has seen enough (`| head -1`, `2>&1 | head -1`) ends the command, it is no error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
  const code = await main(process.argv.slice(2), processOutput, interrupted.signal);
  // Not by waiting for every handle: Node 24 can spin at such an end while connections are still closing.
  process.stdout.write('', () => process.exit(code));
}
