import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { rawText, UserError } from '../../../src/core/errors.ts';
import type { SkaffoldLaunch } from '../../../src/core/runs.ts';
import { preflight, type PreflightParts } from '../../../src/skaffold/preflight/preflight.ts';
import { readFromDisk } from '../../../src/skaffold/project/files.ts';

const skip = process.platform === 'win32' && 'the programs of these tests are shell scripts';

const yaml = `apiVersion: skaffold/v4beta11
kind: Config
metadata: { name: shop }
profiles: [{ name: dev }, { name: staging }]
`;

/** What one launch finds on the machine. */
interface Machine {
  /** Shell scripts by the name of the program. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly file?: string;
  readonly launch?: Partial<SkaffoldLaunch>;
  readonly contextReachable?: PreflightParts['contextReachable'];
}

const both = { skaffold: 'echo v2.16.1', kubectl: 'exit 0' };

/** A folder with a project, and one with programs that is all of PATH. */
function check(
  t: TestContext,
  { programs = both, file = yaml, launch, contextReachable = async () => undefined }: Machine,
  signal = new AbortController().signal,
) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'preflight-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  writeFileSync(path.join(folder, 'skaffold.yaml'), file);
  const whole: SkaffoldLaunch = {
    name: 'Shop',
    file: path.join(folder, 'skaffold.yaml'),
    binary: 'skaffold',
    modules: [],
    profiles: [],
    args: [],
    env: {},
    portForward: [],
    cleanUp: true,
    ...launch,
  };
  return preflight(whole, { env: { PATH: bin }, read: readFromDisk, contextReachable }, signal);
}

test('nothing is wrong, and nothing remarked', { skip }, async t => assert.deepEqual(await check(t, {}), []));

const remarks: readonly (Machine & { name: string; want: RegExp })[] = [
  {
    name: 'a build between releases',
    programs: { ...both, skaffold: 'echo v2.24.0-2-g359a940' },
    want: /v2\.24\.0-2-g359a940 is no release/,
  },
  {
    name: 'a build without a version',
    programs: { ...both, skaffold: 'echo unknown' },
    want: /"unknown" as its version; 1\.12\.0/,
  },
  {
    name: 'modes of port-forward that it does not know',
    programs: { ...both, skaffold: 'echo v1.21.0' },
    launch: { portForward: ['user'] },
    want: /v1\.21\.0 forwards all ports or none/,
  },
  {
    name: 'a profile that may come from elsewhere',
    file: `${yaml}requires: [{ git: { repo: "https://git.example/base" } }]\n`,
    launch: { profiles: ['prod'] },
    want: /no profile "prod"\. It may come from https:\/\/git\.example\/base/,
  },
  {
    name: 'no cluster where Docker is deployed to',
    file: `${yaml}deploy: { docker: {} }\n`,
    programs: { skaffold: both.skaffold },
    want: /kubectl was not found/,
  },
];

for (const { name, want, ...machine } of remarks)
  test(`remark: ${name}`, { skip }, async t => {
    const found = await check(t, machine);
    assert.equal(found.length, 1);
    assert.match(found[0]!, want);
  });

const unreachable = () => Promise.reject(new UserError('no-answer', 'The API server does not answer.'));

const failures: readonly (Machine & {
  name: string;
  code: string;
  message: RegExp;
  cause?: RegExp;
  remedy?: RegExp;
})[] = [
  {
    name: 'no Skaffold',
    programs: { kubectl: '' },
    code: 'skaffold-missing',
    message: /not found as "skaffold"/,
    cause: /PATH: .*bin/,
    remedy: /skaffoldPath/,
  },
  {
    name: 'no file at the path',
    launch: { binary: '/nowhere/skaffold' },
    code: 'skaffold-missing',
    message: /nowhere/,
    cause: /no such file/,
  },
  {
    name: 'no kubectl',
    programs: { skaffold: both.skaffold },
    code: 'kubectl-missing',
    message: /kubectl was not found/,
    cause: /PATH/,
  },
  {
    name: 'too old',
    programs: { ...both, skaffold: 'echo v1.11.0' },
    code: 'skaffold-old',
    message: /too old/,
    cause: /v1\.11\.0/,
    remedy: /1\.12\.0/,
  },
  {
    name: 'one that fails',
    programs: { ...both, skaffold: 'echo "cannot run: no libc" >&2; exit 3' },
    code: 'skaffold-broken',
    message: /cannot be run/,
    cause: /exit code 3: cannot run: no libc/,
  },
  {
    name: 'a broken file',
    file: 'apiVersion: skaffold/v1\n\tx: 1\n',
    code: 'skaffold-file-broken',
    message: /skaffold\.yaml, line 2, column 1/,
  },
  {
    name: 'an absent file',
    launch: { file: '/nowhere/skaffold.yaml' },
    code: 'skaffold-file-missing',
    message: /\/nowhere\/skaffold\.yaml/,
    cause: /ENOENT/,
  },
  {
    name: 'an unknown module',
    launch: { modules: ['shopp'] },
    code: 'skaffold-module-unknown',
    message: /no module "shopp"/,
    cause: /it has shop/,
    remedy: /Did you mean "shop"/,
  },
  {
    name: 'an unknown profile',
    launch: { profiles: ['-dev', '-stagin'] },
    code: 'skaffold-profile-unknown',
    message: /no profile "stagin"/,
    cause: /dev, staging/,
    remedy: /"staging"/,
  },
  { name: 'the cluster', contextReachable: unreachable, code: 'no-answer', message: /does not answer/ },
  {
    name: 'the cluster, in words for nobody',
    launch: { kubeContext: 'kind' },
    contextReachable: () => Promise.reject(new Error('ECONNRESET')),
    code: 'context-unreachable',
    message: /context "kind"/,
    cause: /ECONNRESET/,
    remedy: /kubectl get pods/,
  },
];

for (const { name, code, message, cause, remedy = /./, ...machine } of failures)
  test(`failure: ${name}`, { skip }, async t => {
    await assert.rejects(check(t, machine), error => {
      assert.ok(error instanceof UserError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      if (cause) assert.match(rawText(error.cause), cause);
      if (code !== 'no-answer') assert.match(error.remedy ?? '', remedy);
      return true;
    });
  });

test('all that is wrong is said at once', { skip }, async t => {
  await assert.rejects(
    check(t, { programs: {}, launch: { profiles: ['devv'] }, contextReachable: unreachable }),
    error => {
      assert.ok(error instanceof UserError);
      assert.equal(error.code, 'preflight-failed');
      for (const part of [
        /^"Shop" cannot be started/,
        /Skaffold was not found/,
        /kubectl was not found/,
        /"devv"/,
        /API server/,
      ])
        assert.match(error.message, part);
      assert.deepEqual(
        error.actions.map(({ label }) => label),
        ['Open launch.json'],
      );
      return true;
    },
  );
});

test('a PATH of launch.json counts', { skip }, async t => {
  await assert.rejects(check(t, { launch: { env: { PATH: '' } } }), /Skaffold was not found.*kubectl was not found/);
});

const contexts: readonly { name: string; file?: string; launch: Partial<SkaffoldLaunch>; want: readonly unknown[] }[] =
  [
    { name: 'the current one', launch: {}, want: [undefined, undefined] },
    { name: 'of launch.json', launch: { kubeContext: 'a', kubeconfig: '/kube' }, want: ['/kube', 'a'] },
    {
      name: 'of an argument',
      launch: { kubeContext: 'a', args: ['--kube-context', 'b', '--kubeconfig=/other'] },
      want: ['/other', 'b'],
    },
    { name: 'of the file', file: `${yaml}deploy: { kubeContext: here }\n`, launch: {}, want: [undefined, 'here'] },
    {
      name: 'of an active profile',
      file:
        yaml.replace('{ name: dev }', '{ name: dev, deploy: { kubeContext: there } }') +
        'deploy: { kubeContext: here }\n',
      launch: { profiles: ['dev'] },
      want: [undefined, 'there'],
    },
    {
      name: 'a template',
      file: `${yaml}deploy: { kubeContext: "{{.CONTEXT}}" }\n`,
      launch: {},
      want: [undefined, undefined],
    },
  ];

for (const { name, want, ...machine } of contexts)
  test(`which context is asked: ${name}`, { skip }, async t => {
    const asked: unknown[] = [];
    await check(t, {
      ...machine,
      contextReachable: async (...[kubeconfig, context]) => void asked.push(kubeconfig, context),
    });
    assert.deepEqual(asked, want);
  });

test('the checks run at the same time, and all end when nobody waits any more', { skip }, async t => {
  const control = new AbortController();
  const hanging: PreflightParts['contextReachable'] = (_, __, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      control.abort(new Error('the user left')); // while Skaffold still runs
    });
  const running = check(
    t,
    { programs: { ...both, skaffold: 'exec /bin/sleep 600' }, contextReachable: hanging },
    control.signal,
  );
  await assert.rejects(running, /the user left/);
});
