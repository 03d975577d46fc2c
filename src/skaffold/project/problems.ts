import { UserError } from '../../core/errors.ts';

/** Where something is in a file; both count from 1. */
export type Place = Readonly<{ line: number; column: number }>;

/** Code of the problem of a file that is not looked into; Skaffold itself may well read it. */
export const largeFile = 'skaffold-file-large';

/** A file that is absent; `by` is the file that requires it, if one does. */
export const fileMissing = (file: string, by: string | undefined, cause: unknown): UserError =>
  by === undefined
    ? new UserError('skaffold-file-missing', `There is no file ${file}.`, {
        cause,
        remedy: 'Correct "skaffoldFile" in launch.json, or write the file (`skaffold init` makes a first one).',
      })
    : new UserError('skaffold-file-missing', `There is no file ${file}, which ${by} requires.`, {
        cause,
        remedy: `Correct the path under "requires" in ${by}.`,
      });

/** It is there, and the system does not let us read it. */
export const fileUnreadable = (file: string, cause: unknown): UserError =>
  new UserError('skaffold-file-unreadable', `The file ${file} cannot be read.`, {
    cause,
    remedy: 'Make it readable for this user.',
  });

/** Both numbers are bytes. */
export const fileLarge = (file: string, bytes: number, most: number): UserError =>
  new UserError(largeFile, `The file ${file} is too large to look into, so its modules and profiles are not known.`, {
    cause: `${bytes} bytes; the limit is ${most}`,
  });

/** Skaffold would refuse the file; `what` ends the sentence and names what is wrong. */
export const fileBroken = (file: string, { line, column }: Place, what: string): UserError =>
  new UserError('skaffold-file-broken', `${file}, line ${line}, column ${column}: ${what}.`, {
    remedy: 'Correct the file; `skaffold diagnose` checks all of it.',
  });

/** More files require each other than any project has; a link may lead back to its own folder. */
export const tooManyFiles = (file: string, most: number): UserError =>
  new UserError('skaffold-files-many', `${file} requires more than ${most} files; the others are not looked into.`, {
    remedy: 'Look for a link below it that leads back to a folder above.',
  });
