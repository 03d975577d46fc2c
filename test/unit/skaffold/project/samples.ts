import path from 'node:path';
import type { ReadFile } from '../../../../src/skaffold/project/files.ts';

/** Absolute on every platform. */
export const at = (...parts: string[]): string => path.resolve('/shop', ...parts);

const failed = (code: string) => Object.assign(new Error(`${code}: it is so`), { code });

/** Files in memory by their path below `at()`; every folder that one of them is in exists, too. */
export function memory(files: Readonly<Record<string, string>>): ReadFile {
  const all = new Map(Object.entries(files).map(([file, text]) => [at(file), text]));
  return async file => {
    const text = all.get(file);
    if (text !== undefined) return text;
    throw failed([...all.keys()].some(other => other.startsWith(file + path.sep)) ? 'EISDIR' : 'ENOENT');
  };
}

/** A document with nothing but a name, and what is added. */
export const named = (name: string, more = ''): string =>
  `apiVersion: skaffold/v4beta11\nkind: Config\nmetadata:\n  name: ${name}\n${more}`;

export const shop: Readonly<Record<string, string>> = {
  'skaffold.yaml': `
apiVersion: skaffold/v4beta13
kind: Config
requires:
  - path: ./cart
  - path: payments/skaffold.yaml
    configs: [payments]
  - git:
      repo: https://git.example/platform.git
      path: base/skaffold.yaml
      ref: main
`,
  'cart/skaffold.yaml': `# Java
apiVersion: skaffold/v2beta29
kind: Config
metadata:
  name: cart
requires:
  - path: ../base
build:
  local: { push: false }
  artifacts:
    - image: registry.example/cart
      context: .
      jib: { type: maven }
deploy:
  kubectl:
    manifests: [k8s/*.yaml]
profiles:
  - name: dev
    activation: [{ command: dev }]
    patches:
      - { op: replace, path: /build/local/push, value: true }
  - name: gcb
    build: { googleCloudBuild: { projectId: shop } }
`,
  'payments/skaffold.yaml': `
apiVersion: skaffold/v4beta13
kind: Config
metadata: { name: payments }
.images: &image
  context: ./app
build:
  artifacts:
    - image: payments
      <<: *image
      docker:
        dockerfile: Dockerfile.dev
    - image: ko://example.com/payments/cmd/worker
      ko: {}
manifests:
  rawYaml: ["k8s/{{.ENV}}/*.yaml"]
profiles:
  - name: dev
  - name: local
    deploy: { docker: { images: [payments] } }
---
apiVersion: skaffold/v4beta13
kind: Config
metadata: { name: ledger }
build:
  artifacts: [{ image: ledger, context: ../ledger }]
profiles: [{ name: audit }]
`,
  'base/skaffold.yaml': named(
    'base',
    'build:\n  artifacts:\n    - image: base\n      custom: { buildCommand: ./build.sh }\n',
  ),
};

const crlf = (text: string) => text.replaceAll('\n', '\r\n');

/** One of each kind that names things in its own way. */
export const versions: readonly { name: string; text: string; want: readonly string[] }[] = [
  {
    name: 'v1alpha2 says imageName and workspace',
    text: `apiVersion: skaffold/v1alpha2
kind: Config
build:
  artifacts:
    - imageName: gcr.io/k8s/web
      workspace: web
      bazel: { target: //web:image.tar }
`,
    want: ['gcr.io/k8s/web web bazel'],
  },
  {
    name: 'v1beta1 with jibMaven',
    text: `apiVersion: skaffold/v1beta1
kind: Config
build:
  artifacts:
  - image: api
    context: services/api
    jibMaven: {}
`,
    want: ['api services/api jibMaven'],
  },
  {
    name: 'v4 without a builder, CRLF, BOM and a number in place of text',
    text: `\ufeff${crlf(`apiVersion: skaffold/v4beta14\nkind: Config\nmetadata: { name: 7 }\nbuild:\n  artifacts:\n    - image: web\n    - context: nothing\n`)}`,
    want: ['web . docker'],
  },
  { name: 'null in place of everything', text: named('x', 'build:\nrequires:\nprofiles: ~\ndeploy:\n'), want: [] },
];

/** Files that Skaffold refuses, with where and why. */
export const broken: readonly { name: string; text: string; line: number; column: number; what: RegExp }[] = [
  { name: 'empty', text: '', line: 1, column: 1, what: /empty/ },
  { name: 'only a comment', text: '# later\n', line: 1, column: 1, what: /empty/ },
  { name: 'a tab', text: named('x', 'build:\n\tartifacts: []\n'), line: 6, column: 1, what: /[Tt]ab/ },
  {
    name: 'a list',
    text: '- apiVersion: skaffold/v1\n',
    line: 1,
    column: 1,
    what: /mapping is expected and not a list/,
  },
  { name: 'text', text: 'hello\n', line: 1, column: 1, what: /not text/ },
  { name: 'no version', text: '\nkind: Config\n', line: 2, column: 1, what: /"apiVersion" is missing/ },
  {
    name: 'something else',
    text: 'apiVersion: v1\nkind: List\n',
    line: 1,
    column: 1,
    what: /"v1" and not one of Skaffold/,
  },
  {
    name: 'a mapping of profiles',
    text: named('x', 'profiles:\n  dev: {}\n'),
    line: 6,
    column: 3,
    what: /"profiles" has to be a list and not a mapping/,
  },
  {
    name: 'a list of build',
    text: named('x', 'build:\n  - image: a\n'),
    line: 6,
    column: 3,
    what: /"build" has to be a mapping and not a list/,
  },
  {
    name: 'text of artifacts',
    text: named('x', 'build:\n  artifacts: web\n'),
    line: 6,
    column: 14,
    what: /"build.artifacts" has to be a list and not text/,
  },
  { name: 'a key twice', text: named('x', 'kind: Config\n'), line: 5, column: 1, what: /unique/ },
  { name: 'an open quote', text: named('x', 'deploy: { kubectl: "\n'), line: 6, column: 1, what: /quote/ },
  { name: 'an alias of nothing', text: named('x', 'build: *none\n'), line: 1, column: 1, what: /none/ },
  {
    name: 'a bare template',
    text: named('x', 'build:\n  tagPolicy:\n    envTemplate:\n      template: {{.TAG}}\n'),
    line: 8,
    column: 18,
    what: /quotes/,
  },
  {
    name: 'a second document that is empty',
    text: `${named('x')}---\n`,
    line: 5,
    column: 4,
    what: /document is empty/,
  },
  { name: 'bytes', text: '\u0000\u0001\u0002', line: 1, column: 1, what: /./ },
];
