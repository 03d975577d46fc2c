// `npm test`: everything that is checked. `npm test -- unit e2e` runs only these layers; words that are no layer's name
// choose tests by name, as in `npm test -- e2e breakpoint`.
import { layers } from './lib/layers.ts';
import { runLayers } from './lib/runLayers.ts';

await runLayers(layers, process.argv.slice(2));
