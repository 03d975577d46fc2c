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
    name: 'Node, above its stack and its version',
    phase: exited(1),
    log: 'starting\n/app/main.js:3\n  throw x;\n  ^\n\nError: x\n    at main (/app/main.js:3:9)\n\nNode.js v24.1.0\n',
    line: 'Error: x',
    previous: null,
  },
  {
    name: 'Java, above its stack',
    phase: exited(1),
    log: 'Exception in thread "main" java.lang.Error: x\n\tat a.B.main(B.java:3)\nCaused by: y\n\tat a.C.c(C.java:1)\n\t... 5 more\n',
    line: 'Caused by: y',
    previous: null,
  },
  {
    name: 'Go, above its goroutines',
    phase: exited(2),
    log: 'up\npanic: no settings\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:5 +0x18\n',
    line: 'panic: no settings',
    previous: null,
  },
  {
    name: 'Python, below its stack',
    phase: exited(1),
    log: 'Traceback (most recent call last):\n  File "/app/a.py", line 1, in <module>\nKeyError: 1\n',
    line: 'KeyError: 1',
    previous: null,
  },
  { name: 'a stack alone', phase: exited(1), log: '  at a\n  at b\n', line: '  at b', previous: null },
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
