import assert from 'node:assert/strict';
import test from 'node:test';
import { type ImageOptions, imageOf } from '../../../../src/debuggers/paths/image.ts';

interface Case {
  readonly name: string;
  readonly dockerfile: string;
  readonly options?: ImageOptions;
  readonly workdir?: string;
  /** `local → remote`, in their order. */
  readonly copies: readonly string[];
  readonly seen?: readonly string[];
}

const cases: Case[] = [
  {
    name: 'all of the context',
    dockerfile: 'FROM node:20\nWORKDIR /app\nCOPY package*.json ./\nRUN npm ci\nCOPY . .\n',
    workdir: '/app',
    copies: ['. → /app', '. → /app'],
  },
  {
    name: 'relative WORKDIRs follow each other, from the root of scratch',
    dockerfile: 'FROM scratch\nWORKDIR srv\nWORKDIR ./app/\nCOPY src lib/\n',
    workdir: '/srv/app',
    copies: ['src → /srv/app/lib'],
  },
  {
    name: 'a relative WORKDIR of a base image that nobody knows',
    dockerfile: 'FROM node:20\nWORKDIR app\nCOPY . .\nCOPY lib /lib\n',
    copies: ['lib → /lib'],
  },
  {
    name: 'no WORKDIR: that of the running image',
    dockerfile: 'FROM company/base\nCOPY . .\n',
    options: { workdir: '/home/app' },
    workdir: '/home/app',
    copies: ['. → /home/app'],
  },
  {
    name: 'ARG and ENV with defaults, overrides and the values of before the first stage',
    dockerfile: [
      'ARG ROOT=/srv',
      'ARG BASE=node:20',
      'FROM $BASE',
      'ARG ROOT',
      'ARG PART=web',
      'ENV APP="${ROOT}/${PART}" OLD=x',
      'ENV LAST ${NOPE:-end}',
      'WORKDIR ${APP}',
      'COPY services/${PART} .',
      'COPY lib ./$LAST',
    ].join('\n'),
    options: { args: { PART: 'shop', OTHER: 'no' } },
    workdir: '/srv/shop',
    copies: ['services/shop → /srv/shop', 'lib → /srv/shop/end'],
  },
  {
    name: 'a variable of the base image is not known',
    dockerfile: 'FROM node:20\nWORKDIR $HOME/app\nCOPY . .\n',
    copies: [],
  },
  {
    name: 'a stage that another one is made from',
    dockerfile:
      'FROM node AS base\nWORKDIR /app\nCOPY lib lib\nFROM base AS dev\nCOPY src src\nFROM base\nCOPY dist .\n',
    options: { target: 'DEV' },
    workdir: '/app',
    copies: ['lib → /app/lib', 'src → /app/src'],
  },
  {
    name: 'the last stage, where none is named',
    dockerfile: 'FROM node AS base\nWORKDIR /a\nFROM node\nWORKDIR /b\nCOPY x/ y/\n',
    workdir: '/b',
    copies: ['x → /b/y'],
  },
  {
    name: 'what another stage has made of the sources',
    dockerfile: [
      'FROM node:20 AS build',
      'WORKDIR /build',
      'COPY tsconfig.json ./',
      'COPY src ./src',
      'RUN npx tsc',
      'FROM node:20-slim',
      'WORKDIR /app',
      'COPY --from=build --chown=node:node /build/dist ./dist',
      'COPY --from=0 /build/src ./src',
    ].join('\n'),
    workdir: '/app',
    copies: ['dist → /app/dist', 'src → /app/src'],
    seen: ['. → /build', 'src → /build/src'],
  },
  {
    name: 'a whole directory of another stage',
    dockerfile: 'FROM node AS b\nWORKDIR /b\nCOPY lib ./lib\nCOPY app.js .\nFROM node\nCOPY --from=b /b /srv\n',
    copies: ['. → /srv', 'lib → /srv/lib'],
    seen: ['lib → /b/lib', '. → /b'],
  },
  {
    name: 'other images, URLs, archives and here-documents are none of the context',
    dockerfile: [
      'FROM scratch',
      'COPY --from=busybox /bin /bin',
      'ADD https://example.com/x.py /opt/',
      'ADD vendor.tar.gz /opt/',
      'COPY <<EOF /etc/app.conf',
      'COPY fake /fake',
      'EOF',
      'RUN <<-"END"',
      '\tWORKDIR /no',
      '\tEND',
      'COPY real /real',
    ].join('\n'),
    workdir: '/',
    copies: ['real → /real'],
  },
  {
    name: 'continued lines, comments between them, JSON words, another escape',
    dockerfile: [
      '# escape=`',
      'FROM scratch',
      'WORKDIR /app',
      'COPY `',
      '  # the sources',
      '  src `',
      '  ./src',
      'COPY ["with space", "/app/with space/"]',
    ].join('\n'),
    workdir: '/app',
    copies: ['src → /app/src', 'with space → /app/with space'],
  },
  {
    name: 'files: into a directory, under their own name, renamed',
    dockerfile:
      'FROM scratch\nWORKDIR /app\nCOPY main.py .\nCOPY a/b.py c/b.py\nCOPY a/x.py /app/y.py\nCOPY x.py y.py lib/\n',
    workdir: '/app',
    copies: ['. → /app', 'a → /app/c', '. → /app/lib', '. → /app/lib'],
  },
  {
    name: 'outside of the context',
    dockerfile: 'FROM scratch\nCOPY ../secret /secret\nCOPY /rooted /r\n',
    workdir: '/',
    copies: ['rooted → /r'],
  },
  {
    name: 'the context is mounted while something is built',
    dockerfile:
      'FROM golang AS build\nWORKDIR /src\nRUN --mount=type=cache,target=/c --mount=type=bind,target=. go build -o /b ./cmd/web\nFROM scratch\nCOPY --from=build /b /b\n',
    workdir: '/',
    copies: [],
    seen: ['. → /src'],
  },
];

for (const { name, dockerfile, options = {}, workdir, copies, seen } of cases)
  test(`Dockerfile: ${name}`, () => {
    const image = imageOf(dockerfile, options)!;
    const told = (pairs: typeof image.copies) => pairs.map(({ local, remote }) => `${local} → ${remote}`);
    assert.equal(image.workdir, workdir);
    assert.deepEqual(told(image.copies), copies);
    if (seen) assert.deepEqual(told(image.seen), seen);
  });

test('Dockerfile: no stage, or not the one that is built', () => {
  assert.equal(imageOf('# nothing\n', {}), undefined);
  assert.equal(imageOf('FROM a AS b\n', { target: 'c' }), undefined);
});

for (const [name, text, trims] of [
  ['a flag', 'RUN cd x && go build -v -trimpath -o app .', true],
  ['a variable', 'ENV GOFLAGS="-mod=mod -trimpath"\nRUN go build', true],
  ['neither', 'RUN go build -o /trimpath .', false],
] as const)
  test(`Dockerfile: paths are left out of a Go program: ${name}`, () => {
    const image = imageOf(`FROM golang AS build\n${text}\nFROM scratch\nCOPY --from=build /app /app\n`, {})!;
    assert.equal(image.trimsPath, trims);
  });
