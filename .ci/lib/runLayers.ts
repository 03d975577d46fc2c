import { appendFileSync } from 'node:fs';
import { packageExtension } from '../package.ts';
import type { Layer } from './layers.ts';
import { provide } from './needs.ts';
import { Outcome } from './outcome.ts';

/** Where a missing part, and so a skipped test, is a failure. */
const isStrict = ({ isOptional = false }: Layer): boolean => Boolean(process.env['CI']) && !isOptional;

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

let packed: Promise<string> | undefined;

/** Installs what a layer needs and packs the extension for it. Returns why the layer cannot run, if so. */
async function prepare(layer: Layer): Promise<string | undefined> {
  try {
    for (const need of layer.needs) await provide(need);
    if (layer.usesVsix) process.env['E2E_VSIX'] = await (packed ??= packageExtension());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runLayer(layer: Layer, patterns: readonly string[], stop: AbortSignal): Promise<Outcome> {
  const start = performance.now();
  const obstacle = await prepare(layer);
  let outcome = new Outcome();
  if (obstacle === undefined) outcome = await layer.run(patterns, stop);
  else {
    outcome.skipped.push(`${layer.name}: ${obstacle}`);
    console.log(obstacle);
  }
  console.log(`${layer.name}: ${outcome.summary} (${secondsSince(start)})`);
  if (isStrict(layer)) outcome.failed.push(...outcome.skipped.map(name => `${name}: skipped, where nothing may be`));
  return outcome;
}

/**
 * Runs layers and sets the exit code. Words that are names of layers choose these; other words choose tests by name. Ctrl+C
 * ends what runs, the processes of tests too, and goes on to the closing line.
 */
export async function runLayers(layers: readonly Layer[], words: readonly string[]): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const isLayer = (word: string) => layers.some(({ name }) => name === word);
  const patterns = words.filter(word => !isLayer(word));
  const chosen = layers.filter(({ name }) => words.includes(name) || !words.some(isLayer));

  const total = new Outcome();
  for (const layer of chosen) {
    if (interrupted.signal.aborted) total.failed.push(`${layer.name} (interrupted)`);
    else total.add(await runLayer(layer, patterns, interrupted.signal));
  }
  list('Skipped', total.skipped);
  list('Failed', total.failed);
  if (patterns.length > 0 && total.passed + total.failed.length === 0)
    console.log(
      `\nNeither a test nor a layer is called ${patterns.join(' or ')}; the layers are ${layers.map(({ name }) => name).join(', ')}.`,
    );
  console.log(`\n${total.passed} passed, ${total.failed.length} failed`);
  const counts = process.env['BREAKPOD_COUNTS']; // .ci/run adds up what several commands have counted
  if (counts) appendFileSync(counts, `${total.passed} ${total.failed.length}\n`);
  const isEmpty = total.passed + total.skipped.length === 0;
  process.exitCode = total.failed.length > 0 || isEmpty ? 1 : 0;
}

function list(title: string, names: readonly string[]): void {
  if (names.length === 0) return;
  console.log(`\n${title}:`);
  for (const name of names) console.log(`  - ${name.split('\n')[0]}`);
}
