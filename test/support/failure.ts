import assert from 'node:assert/strict';
import { rawText, UserError } from '../../src/core/errors.ts';

/** For `assert.rejects`: a `UserError` with this code, cause and remedy. */
export const failure =
  (code: string, cause: RegExp, remedy = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof UserError, String(error));
    assert.equal(error.code, code);
    assert.match(rawText(error.cause), cause);
    assert.match(error.remedy!, remedy);
    return true;
  };
