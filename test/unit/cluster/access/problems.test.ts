import assert from 'node:assert/strict';
import test from 'node:test';
import { rawText, UserError } from '../../../../src/core/errors.ts';
import { DeadlineError } from '../../../../src/lib/deadline.ts';
import { type Access, ApiError } from '../../../../src/cluster/access.ts';
import { toUserError } from '../../../../src/cluster/http/problems.ts';
import { statusOf } from '../../../../src/cluster/http/status.ts';

const access: Access = {
  context: 'dev',
  cluster: 'c',
  server: new URL('https://api.example:6443'),
  namespace: 'default',
  credentials: () => Promise.reject(new Error('not asked')),
  forget: () => undefined,
};
const withCode = (code: string, message = 'raw words') => Object.assign(new Error(message), { code });

const cases: { name: string; error: unknown; code: string; says?: RegExp }[] = [
  { name: 'refused', error: withCode('ECONNREFUSED'), code: 'api-unreachable', says: /api\.example:6443.*runs/ },
  { name: 'unknown name', error: withCode('ENOTFOUND'), code: 'api-unreachable', says: /name is not known.*VPN/ },
  { name: 'too slow', error: new DeadlineError(10_000), code: 'api-unreachable', says: /network or VPN/ },
  {
    name: 'all addresses refused',
    error: new AggregateError([withCode('ECONNREFUSED', 'v6'), withCode('ECONNREFUSED', 'v4')]),
    code: 'api-unreachable',
    says: /v6; v4/,
  },
  { name: 'own CA', error: withCode('SELF_SIGNED_CERT_IN_CHAIN'), code: 'certificate-untrusted', says: /SELF_SIGNED/ },
  { name: 'expired', error: withCode('CERT_HAS_EXPIRED'), code: 'certificate-untrusted', says: /clock.*"dev"/ },
  {
    name: 'other name',
    error: withCode('ERR_TLS_CERT_ALTNAME_INVALID'),
    code: 'certificate-untrusted',
    says: /tls-server-name/,
  },
  {
    name: 'no certificate given',
    error: withCode('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    code: 'certificate-refused',
  },
  {
    name: 'certificate refused',
    error: withCode('ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'),
    code: 'certificate-refused',
  },
  { name: 'CA unknown there', error: withCode('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), code: 'certificate-refused' },
  { name: 'broken PEM', error: withCode('ERR_OSSL_PEM_NO_START_LINE'), code: 'login-unreadable' },
  { name: 'key of another', error: withCode('ERR_OSSL_X509_KEY_VALUES_MISMATCH'), code: 'login-unreadable' },
  { name: 'no TLS', error: withCode('ERR_SSL_WRONG_VERSION_NUMBER'), code: 'tls-failed', says: /does not speak https/ },
  { name: 'no TLS, other words', error: withCode('EPROTO'), code: 'tls-failed' },
  {
    name: 'a line break in the token',
    error: withCode('ERR_INVALID_CHAR'),
    code: 'login-unreadable',
    says: /characters that cannot be sent/,
  },
  { name: 'a login page', error: new ApiError(302, 'Found'), code: 'api-refused', says: /302.*login page/ },
  { name: '403 without words', error: new ApiError(403, 'Forbidden'), code: 'forbidden', says: /no right/ },
  { name: 'anything', error: new TypeError('odd'), code: 'api-failed', says: /odd/ },
  { name: 'text', error: 'odd', code: 'api-failed', says: /odd/ },
];

for (const { name, error, code, says = /./ } of cases)
  test(`toUserError: ${name}`, () => {
    const problem = toUserError(error, access);
    assert.equal(problem.code, code);
    assert.match(`${problem.message} ${rawText(problem.cause)} ${problem.remedy ?? ''}`, says);
  });

test('toUserError keeps what is written for people', () => {
  const error = new UserError('x', 'y');
  assert.equal(toUserError(error, access), error);
});

test('toUserError names the proxy that is between', () => {
  const proxy = new URL('http://me:secret@p:3128');
  const { message } = toUserError(withCode('ECONNREFUSED'), { ...access, proxy });
  assert.match(message, /through the proxy http:\/\/p:3128/);
});

const bodies: { body: string; message: string; reason?: string }[] = [
  { body: '{"kind":"Status","message":"no","reason":"Forbidden"}', message: 'no', reason: 'Forbidden' },
  { body: '{"message":{"a":1},"reason":7}', message: '', reason: '7' },
  { body: '[]', message: '[]' },
  { body: 'Unauthorized\n', message: 'Unauthorized' },
  { body: '{"message":"a\\u001b[31mb\\nc"}', message: 'ab ⏎ c' },
  { body: '<html><script>x("</p>")</script><p>Sign  in</p></html>', message: 'Sign in' },
  { body: '', message: '' },
];

for (const { body, ...status } of bodies) test(`statusOf ${body}`, () => assert.deepEqual(statusOf(body), status));
