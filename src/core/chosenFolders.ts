import type { ArtifactSource, ArtifactSources } from './contracts.ts';
import type { Container } from './model.ts';

/** Local folders that the user has chosen for containers, by `folderKey`. */
export interface ChosenFolders {
  get(key: string): string | undefined;
}

/** What a choice is for: an artifact wherever it runs, else the container of a workload. */
export const folderKey = ({ detection, namespace, workload, container }: Container): string =>
  JSON.stringify(
    detection.artifact === undefined
      ? ['container', namespace, workload.kind, workload.name, container]
      : ['artifact', detection.artifact],
  );

/** The user's choice goes before what others tell; what they know of the same folder stays. */
export const withChosen = (found: ArtifactSources, chosen: ChosenFolders): ArtifactSources => ({
  async sourcesOf(container) {
    const context = chosen.get(folderKey(container));
    const sources = await found.sourcesOf(container);
    if (context === undefined) return sources;
    const known = sources.find(source => source.context === context);
    const plain: ArtifactSource = { image: container.image, context, builder: 'docker', from: 'you' };
    return [{ ...(known ?? plain), isChosen: true }];
  },
});
