import { posix } from 'node:path';
import type { Container } from '../../core/model.ts';
import { oneLine } from '../../lib/plainText.ts';
import type { Layout } from './layout.ts';

/** Where buildpacks put a program (Cloud Native Buildpacks, "Platform API"). */
const BUILDPACKS = '/workspace';

/** The directory of the program in the container where nothing tells what was copied there, and how that is known. */
export function workingDirectory(
  { detection }: Container,
  layout: Layout | undefined,
  { script, builder }: { script?: string | undefined; builder?: string | undefined } = {},
): { remote?: string; source: string } {
  const { workingDir } = detection;
  if (workingDir !== undefined)
    return { remote: workingDir, source: `${oneLine(workingDir)} is the working directory of the container.` };
  if (layout?.workdir !== undefined)
    return {
      remote: layout.workdir,
      source: `${oneLine(layout.workdir)} is the last WORKDIR in ${layout.dockerfile}.`,
    };
  if (builder === 'buildpacks')
    return { remote: BUILDPACKS, source: `${BUILDPACKS} is where buildpacks put a program.` };
  if (script !== undefined) {
    const above = posix.dirname(script).replace(/\/(?:dist|build|out|lib)$/, '') || '/';
    return { remote: above, source: `Not certain: ${oneLine(above)} is where the script ${oneLine(script)} is.` };
  }
  return {
    source:
      'The directory of the program in the container is not known: neither its pod nor a Dockerfile tells it. Set workingDir in the container.',
  };
}
