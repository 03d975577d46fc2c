// `npm test`: everything that is checked. `npm test -- unit e2e` runs only these layers; words that are no layer's name
// choose tests by name, as in `npm test -- e2e breakpoint`.
import { type Layer, layers } from './lib/layers.ts';
import { provide } from './lib/needs.ts';
import { Outcome } from './lib/outcome.ts';
import { packageExtension } from './package.ts';

/** Where a missing part, and so a skipped test, is a failure. */
const isStrict = Boolean(process.env['CI']);

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Installs what a layer needs and packs the extension for it. Returns why the layer cannot run, if so. */
async function prepare(layer: Layer, vsix: () => Promise<string>): Promise<string | undefined> {
  try {
    for (const need of layer.needs) await provide(need);
    if (layer.usesVsix) process.env['E2E_VSIX'] = await vsix();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runLayer(layer: Layer, patterns: readonly string[], vsix: () => Promise<string>): Promise<Outcome> {
  const start = performance.now();
  const obstacle = await prepare(layer, vsix);
  let outcome = new Outcome();
  if (obstacle === undefined) outcome = await layer.run(patterns, interrupted.signal);
  else {
    outcome[isStrict ? 'failed' : 'skipped'].push(`${layer.name}: ${obstacle}`);
    console.log(obstacle);
  }
  console.log(`${layer.name}: ${outcome.summary} (${secondsSince(start)})`);
  return outcome;
}

/** In CI every part is there, so that whatever is skipped shows a fault of the set-up. */
function judgeSkipped(total: Outcome): void {
  if (total.skipped.length === 0) return;
  console.log(isStrict ? '\nSkipped, which is a failure where CI is set:' : '\nSkipped:');
  for (const name of total.skipped) console.log(`  - ${name}`);
  if (isStrict) total.failed.push(...total.skipped);
}

/** Ctrl+C ends what runs, the processes of tests too, and goes on to the closing line. */
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

const words = process.argv.slice(2);
const isLayer = (word: string) => layers.some(({ name }) => name === word);
const patterns = words.filter(word => !isLayer(word));
const chosen = layers.filter(({ name }) => words.includes(name) || !words.some(isLayer));

let packed: Promise<string> | undefined;
const total = new Outcome();
for (const layer of chosen) {
  if (interrupted.signal.aborted) total.failed.push(`${layer.name} (interrupted)`);
  else total.add(await runLayer(layer, patterns, () => (packed ??= packageExtension())));
}

judgeSkipped(total);
if (total.failed.length > 0) {
  console.log('\nFailed:');
  for (const name of total.failed) console.log(`  - ${name.split('\n')[0]}`);
}
console.log(`\n${total.passed} passed, ${total.failed.length} failed`);
process.exitCode = total.failed.length > 0 || total.passed === 0 ? 1 : 0;
