import assert from 'node:assert/strict';
import test from 'node:test';
import { withProxy } from '../../../src/shell/proxyEnvironment.ts';

const proxy = 'http://proxy.example:3128';
const both = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };

const cases: { name: string; env: NodeJS.ProcessEnv; proxy?: string; noProxy?: string[]; want: NodeJS.ProcessEnv }[] = [
  { name: 'no setting', env: { PATH: 'p' }, want: { PATH: 'p' } },
  { name: 'an empty setting', env: {}, proxy: '', want: {} },
  { name: 'a setting', env: { PATH: 'p' }, proxy, want: { PATH: 'p', ...both } },
  { name: 'with exceptions', env: {}, proxy, noProxy: ['a', '.b'], want: { ...both, NO_PROXY: 'a,.b' } },
  { name: 'the environment wins', env: { https_proxy: 'http://x' }, proxy, want: { https_proxy: 'http://x' } },
  { name: 'its exceptions win', env: { no_proxy: 'c' }, proxy, noProxy: ['a'], want: { no_proxy: 'c', ...both } },
];

for (const { name, env, proxy: setting, noProxy = [], want } of cases)
  test(`proxy of VS Code: ${name}`, () => assert.deepEqual(withProxy(env, setting, noProxy), want));
