import assert from 'node:assert/strict';
import test from 'node:test';
import type * as vscode from 'vscode';
import { EventLog } from '../../../src/core/eventLog.ts';
import { writeLog } from '../../../src/shell/logChannel.ts';

// Only a window has a real channel; the end-to-end tests read that.
function arrange() {
  const lines: string[] = [];
  const write = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
  const channel = { info: write('info'), warn: write('warn'), error: write('error'), trace: () => undefined };
  const log = new EventLog(() => new Date(0));
  const append = (source: string, entry: string) =>
    log.append({ kind: 'noticeEvent', source, level: 'info', body: {}, entry });
  return { lines, log, append, channel: channel as unknown as vscode.LogOutputChannel };
}

test('what was told before is written, too, and each record once', () => {
  const { lines, log, append, channel } = arrange();
  append('pods/shop', 'first');
  const writing = writeLog(log, channel);
  append('pods/shop', 'second');
  writing.dispose();
  append('pods/shop', 'too late');
  assert.deepEqual(lines, ['info first', 'info second']);
});

const entries = [
  { source: 'pods/shop of dev', entry: 'Debuggable container started', line: 'Debuggable container started' },
  { source: 'skaffold:50051', entry: 'Build started', line: '[skaffold:50051] Build started' },
  { source: 'skaffold:50051', entry: 'Watching skaffold:50051', line: 'Watching skaffold:50051' },
  { source: 'skaffold:50051', entry: 'red\u001b[31m\nline', line: '[skaffold:50051] red ⏎ line' },
];
for (const { source, entry, line } of entries)
  test(`a line of the channel: ${line}`, () => {
    const { lines, log, append, channel } = arrange();
    writeLog(log, channel);
    append(source, entry);
    assert.deepEqual(lines, [`info ${line}`]);
  });
