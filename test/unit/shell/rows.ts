import type { Container } from '../../../src/core/model.ts';
import type { Row } from '../../../src/core/selectors.ts';
import { container } from '../../support/containers.ts';

/** A row that is ready to be attached; every part can be set. */
export const row = (parts: Partial<Omit<Row, 'container'>> = {}, of: Parameters<typeof container>[0] = {}): Row => ({
  container: container(of) satisfies Container,
  state: 'ready',
  isAttachable: true,
  waitsForYou: false,
  isStale: false,
  seenBy: ['pods'],
  ...parts,
});

/** Puts values in place as `vscode.l10n.t` does, without a translation. */
export const t = (message: string, ...args: string[]): string =>
  message.replace(/\{(\d+)\}/g, (_, index: string) => args[Number(index)] ?? '');
