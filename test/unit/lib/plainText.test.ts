import assert from 'node:assert/strict';
import test from 'node:test';
import { oneLine } from '../../../src/lib/plainText.ts';

const texts: [string, string, string][] = [
  ['plain text', 'web-1 läuft 日本', 'web-1 läuft 日本'],
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a title for the terminal', '\u001b]0;gotcha\u0007x', 'x'],
  ['an escape that stands alone', 'a\u001bz\u009b', 'a�z�'],
  ['line breaks of all kinds', 'a\nb\r\nc\rd\u2028e\u2029f', 'a ⏎ b ⏎ c ⏎ d ⏎ e ⏎ f'],
  ['marks that turn the reading round', 'a\u202eb\u2066c\u200fd\u061ce', 'a�b�c�d�e'],
];
for (const [name, text, want] of texts)
  test(`oneLine: ${name}`, () => {
    const line = oneLine(text);
    assert.doesNotMatch(line, /[\u0000-\u0008\u000a-\u001f\u2028\u2029]/);
    assert.equal(line, want);
  });

test('oneLine: long text is cut', () => assert.equal(oneLine('x'.repeat(50), 10), `${'x'.repeat(10)}…`));
