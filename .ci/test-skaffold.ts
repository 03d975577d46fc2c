// `SKAFFOLD=path npm run test:skaffold`: a real `skaffold debug` on the real Kubernetes node. Skipped without a path, also
// where CI is set, since no registry has Skaffold.
import { skaffoldLayers } from './lib/layers.ts';
import { runLayers } from './lib/runLayers.ts';

await runLayers(skaffoldLayers, process.argv.slice(2));
