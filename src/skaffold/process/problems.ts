import { UserError } from '../../core/errors.ts';

/** The program could not be started at all. */
export const skaffoldNotStarted = (binary: string, cause: unknown): UserError =>
  new UserError('skaffold-not-started', `Skaffold could not be started as \`${binary}\`.`, {
    cause,
    remedy: 'Install Skaffold, or name its program in launch.json.',
  });
