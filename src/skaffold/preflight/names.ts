import type { UserError } from '../../core/errors.ts';
import type { SkaffoldLaunch } from '../../core/runs.ts';
import { nearest } from '../../lib/nearest.ts';
import { largeFile } from '../project/problems.ts';
import type { Project } from '../project/project.ts';
import { nameUnknown } from './problems.ts';

/** What is wrong with a project for a launch. */
export type Findings = Readonly<{ errors: readonly UserError[]; remarks: readonly string[] }>;

/**
 * Looks for the modules and profiles of a launch in its project. Where not all of that can be looked into (files from
 * elsewhere, or too large), one that is not found is a remark.
 */
export function checkNames({ modules, profiles }: SkaffoldLaunch, project: Project): Findings {
  const { file, problems, remotes } = project;
  const broken = problems.filter(({ code }) => code !== largeFile);
  const large = problems.filter(({ code }) => code === largeFile).map(({ message }) => message);
  if (broken.length > 0) return { errors: broken, remarks: large }; // names that are missing may stand in what is broken

  const names = project.modules.map(({ name }) => name).filter(name => name !== undefined);
  const unknown = [
    ...modules.filter(name => !names.includes(name)).map(name => unknownOf('module', name, names)),
    ...profiles
      .map(name => name.replace(/^-/, '')) // which switches it off (skaffold `parser/config.go`)
      .filter(name => !project.profiles.includes(name))
      .map(name => unknownOf('profile', name, project.profiles)),
  ];
  if (remotes.length === 0 && large.length === 0) return { errors: unknown, remarks: [] };
  const elsewhere = remotes.length > 0 ? ` It may come from ${remotes.join(', ')}.` : '';
  return { errors: [], remarks: [...large, ...unknown.map(({ message }) => message + elsewhere)] };

  function unknownOf(kind: 'module' | 'profile', name: string, known: readonly string[]): UserError {
    return nameUnknown(kind, name, { file, known, near: nearest(name, known) });
  }
}
