import assert from 'node:assert/strict';
import test from 'node:test';
import { Pauses } from '../../../src/shell/pauses.ts';

const stopped = (threadId: number) => ({ type: 'event', event: 'stopped', body: { threadId, reason: 'breakpoint' } });
const continued = (body: object) => ({ type: 'event', event: 'continued', body });
const request = (seq: number, command: string, threadId: number) => ({
  type: 'request',
  seq,
  command,
  arguments: { threadId },
});
const response = (seq: number, success: boolean, body = {}) => ({ type: 'response', request_seq: seq, success, body });
const exited = (threadId: number) => ({ type: 'event', event: 'thread', body: { reason: 'exited', threadId } });

const cases: { name: string; messages: object[]; want: boolean }[] = [
  { name: 'nothing yet', messages: [], want: false },
  { name: 'stopped', messages: [stopped(1)], want: true },
  { name: 'continued by itself', messages: [stopped(1), continued({ threadId: 1 })], want: false },
  {
    name: 'continued, but one thread only',
    messages: [stopped(1), stopped(2), continued({ threadId: 1, allThreadsContinued: false })],
    want: true,
  },
  {
    name: 'continued by request, without an event',
    messages: [stopped(1), stopped(2), request(7, 'continue', 1), response(7, true)],
    want: false,
  },
  { name: 'a request that has no answer yet', messages: [stopped(1), request(7, 'continue', 1)], want: true },
  { name: 'a request that failed', messages: [stopped(1), request(7, 'continue', 1), response(7, false)], want: true },
  {
    name: 'a step lets one thread run',
    messages: [stopped(1), stopped(2), request(7, 'next', 1), response(7, true)],
    want: true,
  },
  {
    name: 'a step and its stop',
    messages: [stopped(1), request(7, 'next', 1), response(7, true), stopped(1)],
    want: true,
  },
  { name: 'other requests', messages: [stopped(1), request(7, 'stackTrace', 1), response(7, true)], want: true },
  { name: 'the thread is gone', messages: [stopped(1), exited(1)], want: false },
];

for (const { name, messages, want } of cases)
  test(`Pauses: ${name}`, () => {
    const pauses = new Pauses();
    for (const message of messages)
      if ('command' in message) pauses.toAdapter(message);
      else pauses.fromAdapter(message);
    assert.equal(pauses.isPaused, want);
  });

const ways: { name: string; messages: object[]; want: boolean }[] = [
  { name: 'never paused', messages: [], want: false },
  { name: 'paused', messages: [stopped(1)], want: false },
  { name: 'continued', messages: [stopped(1), continued({ threadId: 1 })], want: true },
  { name: 'the thread is gone', messages: [stopped(1), exited(1)], want: false },
  {
    name: 'paused again, then gone',
    messages: [stopped(1), continued({ threadId: 1 }), stopped(1), exited(1)],
    want: false,
  },
];
for (const { name, messages, want } of ways)
  test(`Pauses: has gone on, not just gone: ${name}`, () => {
    const pauses = new Pauses();
    for (const message of messages) pauses.fromAdapter(message);
    assert.equal(pauses.hasGoneOn, want);
  });
