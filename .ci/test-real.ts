// `npm run test:real`: what is checked on a real Kubernetes node of this machine, beside `npm test`. Needs Linux and root;
// elsewhere it is skipped, and fails where CI is set. Words choose tests by name.
import { realLayers } from './lib/layers.ts';
import { runLayers } from './lib/runLayers.ts';

await runLayers(realLayers, process.argv.slice(2));
