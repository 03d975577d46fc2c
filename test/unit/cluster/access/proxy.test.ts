import assert from 'node:assert/strict';
import test from 'node:test';
import type { UserError } from '../../../../src/core/errors.ts';
import { proxyFor } from '../../../../src/cluster/http/proxy.ts';

const far = 'https://api.example.com:6443';
const env = { HTTPS_PROXY: 'http://p:3128' };

const cases: { name: string; server: string; proxyUrl?: string; env?: Record<string, string>; proxy?: string }[] = [
  { name: 'nothing', server: far },
  { name: 'HTTPS_PROXY', server: far, env, proxy: 'http://p:3128/' },
  { name: 'https_proxy', server: far, env: { https_proxy: 'https://p' }, proxy: 'https://p/' },
  { name: 'without a scheme', server: far, env: { HTTPS_PROXY: 'p:3128' }, proxy: 'http://p:3128/' },
  { name: 'HTTP_PROXY is for http', server: far, env: { HTTP_PROXY: 'http://p' } },
  { name: 'HTTP_PROXY', server: 'http://api.example.com', env: { HTTP_PROXY: 'http://p' }, proxy: 'http://p/' },
  { name: 'ALL_PROXY is not read', server: far, env: { ALL_PROXY: 'http://p' } },
  { name: 'proxy-url first', server: far, proxyUrl: 'http://k', env: { ...env, NO_PROXY: '*' }, proxy: 'http://k/' },
  { name: 'proxy-url, loopback', server: 'https://127.0.0.1:1', proxyUrl: 'http://k', proxy: 'http://k/' },
  { name: 'loopback', server: 'https://127.0.0.1:6443', env },
  { name: 'loopback by name', server: 'https://localhost:6443', env },
  { name: 'loopback IPv6', server: 'https://[::1]:6443', env },
];

for (const { name, server, proxyUrl, env = {}, proxy } of cases)
  test(`proxyFor: ${name}`, () => assert.equal(proxyFor(new URL(server), proxyUrl, env)?.href, proxy));

const exclusions: { noProxy: string; server?: string; excluded: boolean }[] = [
  { noProxy: '*', excluded: true },
  { noProxy: '', excluded: false },
  { noProxy: ' , ', excluded: false },
  { noProxy: 'example.com', excluded: true },
  { noProxy: 'foo, EXAMPLE.com', excluded: true },
  { noProxy: '.example.com', excluded: true },
  { noProxy: '*.example.com', excluded: true },
  { noProxy: '.api.example.com', excluded: false },
  { noProxy: 'ample.com', excluded: false },
  { noProxy: 'api.example.com:6443', excluded: true },
  { noProxy: 'api.example.com:443', excluded: false },
  { noProxy: '10.0.0.1', server: 'https://10.0.0.1', excluded: true },
  { noProxy: '10.0.0.1:443', server: 'https://10.0.0.1', excluded: true },
  { noProxy: '10.0.0.0/8', server: 'https://10.9.9.9:6443', excluded: true },
  { noProxy: '10.0.0.0/16', server: 'https://10.9.9.9:6443', excluded: false },
  { noProxy: '10.0.0.0/99', server: 'https://10.9.9.9:6443', excluded: false },
  { noProxy: '10.0.0.0/8', excluded: false },
  { noProxy: 'fd00::/8', server: 'https://[fd00::1]:6443', excluded: true },
  { noProxy: 'fd00::1', server: 'https://[fd00::1]:6443', excluded: true },
  { noProxy: '[fd00::1]:6443', server: 'https://[fd00::1]:6443', excluded: true },
];

for (const { noProxy, server = far, excluded } of exclusions)
  test(`NO_PROXY=${noProxy} ${excluded ? 'excludes' : 'keeps'} ${server}`, () => {
    const proxy = proxyFor(new URL(server), undefined, { ...env, NO_PROXY: noProxy });
    assert.equal(proxy?.href, excluded ? undefined : 'http://p:3128/');
  });

for (const proxyUrl of ['socks5://me:secret@p:1080', 'nonsense', 'ftp://p'])
  test(`a proxy that cannot be used says where it stands: ${proxyUrl}`, () => {
    for (const [given, values, place] of [
      [proxyUrl, {}, /proxy-url/],
      [undefined, { HTTPS_PROXY: proxyUrl.includes(':') ? proxyUrl : `x:y:${proxyUrl}` }, /HTTPS_PROXY/],
    ] as const)
      assert.throws(
        () => proxyFor(new URL(far), given, values),
        ({ code, message }: UserError) =>
          code === 'proxy-unusable' && place.test(message) && !message.includes('secret'),
      );
  });
