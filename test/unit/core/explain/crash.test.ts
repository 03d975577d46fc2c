import assert from 'node:assert/strict';
import test from 'node:test';
import { meaningOf } from '../../../../src/core/explain/crash.ts';

const cases: { line: string; means: RegExp | undefined }[] = [
  { line: 'exec /dbg/go/bin/dlv: no such file or directory', means: /lacks the interpreter or the C library/ },
  { line: 'exec /app/server: exec format error', means: /another kind of processor/ },
  { line: 'Error relocating /dbg/python/x.so: fts_open: symbol missing', means: /C library of the image/ },
  { line: 'Error: connect ECONNREFUSED 10.0.0.1:5432', means: undefined },
  { line: 'open /etc/app.conf: no such file or directory', means: undefined },
];

for (const { line, means } of cases)
  test(`H66: ${line}`, () => {
    const found = meaningOf(line)?.means;
    if (means) assert.match(found ?? '', means);
    else assert.equal(found, undefined);
  });
