import assert from 'node:assert/strict';
import test from 'node:test';
import { labelText, messageText } from '../../../src/shell/plain.ts';

test('labelText: foreign text draws no icon and stays on one line', () => {
  assert.doesNotMatch(labelText('a$(sync~spin)\nb'), /\$\(|\n/);
});

test('messageText: foreign text makes no link that runs a command', () => {
  assert.doesNotMatch(messageText('[ok](command:workbench.action.quit)'), /\]\(/);
});
