import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import test from 'node:test';
import type { Access } from '../../../../src/cluster/access.ts';
import { lastLineOf } from '../../../../src/cluster/pods/lastLine.ts';
import type { Phase } from '../../../../src/core/model.ts';
import { container, exited, waiting } from '../../../support/containers.ts';

const cases: { name: string; phase: Phase; log: string; line: string | undefined; previous: string | null }[] = [
  {
    name: 'a crash loop',
    phase: waiting('CrashLoopBackOff'),
    log: 'a\nexec /dbg/go/bin/dlv: no such file or directory\n\n',
    line: 'exec /dbg/go/bin/dlv: no such file or directory',
    previous: 'true',
  },
  { name: 'between two runs', phase: exited(255), log: 'boom', line: 'boom', previous: null },
  { name: 'nothing printed', phase: waiting('CrashLoopBackOff'), log: '', line: undefined, previous: 'true' },
  {
    name: 'the version of Node below an error',
    phase: exited(1),
    log: 'Error: x\n\nNode.js v24.1.0\n',
    line: 'Error: x',
    previous: null,
  },
];

for (const { name, phase, log, line, previous } of cases)
  test(`H66: the last line of ${name}`, async () => {
    let asked = '';
    const get = async (path: string) => {
      asked = path;
      return Readable.from([Buffer.from(log)]) as IncomingMessage;
    };
    const api = { access: {} as Access, get };
    assert.equal(await lastLineOf(api, container({ phase }), new AbortController().signal), line);
    const { pathname, searchParams } = new URL(asked, 'http://127.0.0.1');
    assert.equal(pathname, '/api/v1/namespaces/shop/pods/web-7d9c-x1/log');
    assert.equal(searchParams.get('previous'), previous);
    assert.ok(Number(searchParams.get('limitBytes')) > 0);
  });
