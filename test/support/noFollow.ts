import type { AttachParts } from '../../src/core/attach.ts';

/** For tests in which a debugger that is lost stays lost. */
export const noFollow: AttachParts['follow'] = { ruleFor: () => 'never', ask: async () => false };
