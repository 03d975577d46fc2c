import { posix } from 'node:path';
import type { PathPair } from '../../core/contracts.ts';
import { assignmentsOf, expanded, type Instruction, instructionsOf, wordsOf } from './dockerfile.ts';

/** Files of the build's context in an image: `local` is relative to the context, `.` is all of it. */
export type Copy = PathPair & Readonly<{ kind: 'directory' | 'file' | 'unknown' }>;

/** Where an image has its files from. */
export type Image = Readonly<{
  /** The directory in which its program starts, absolute. */
  workdir?: string;
  copies: readonly Copy[];
  /** What the stages had from which the image has its program: there a compiler has seen the sources. */
  seen: readonly Copy[];
  /** `go build` leaves out where it was. */
  trimsPath: boolean;
  /** The package that `go build` names, relative to `workdir`: `./cmd/web`. */
  goPackage?: string;
}>;

/** What beside the Dockerfile decides what is built. */
export type ImageOptions = Readonly<{
  /** The stage; the last one without it. */
  target?: string | undefined;
  args?: Readonly<Record<string, string>> | undefined;
  /** The working directory of the image, where it is known; stands in where the file names none. */
  workdir?: string | undefined;
}>;

interface Stage {
  readonly name: string;
  readonly values: Map<string, string | undefined>;
  workdir: string | undefined;
  copies: Copy[];
  seen: Copy[];
  trimsPath: boolean;
  goPackage: string | undefined;
}

/** Follows a Dockerfile through its stages; `undefined` when it has no stage, or not the one that is built. */
export function imageOf(dockerfile: string, { target, args = {}, workdir }: ImageOptions): Image | undefined {
  const globals = new Map<string, string | undefined>();
  const stages: Stage[] = [];
  for (const instruction of instructionsOf(dockerfile)) {
    const stage = stages.at(-1);
    if (instruction.name === 'FROM') {
      if (stage && isTarget(stage, target)) break;
      stages.push(newStage(instruction, globals, stages, workdir));
    } else if (stage) follow(instruction, stage, { stages, globals, args });
    else if (instruction.name === 'ARG') setArg(instruction.rest, globals, args);
  }
  const built = stages.at(-1);
  if (!built || (target !== undefined && !isTarget(built, target))) return undefined;
  const { copies, seen, trimsPath, goPackage } = built;
  return {
    ...(built.workdir === undefined ? {} : { workdir: built.workdir }),
    copies: copies.filter(({ local }) => isInside(local)),
    seen: seen.filter(({ local }) => isInside(local)),
    trimsPath,
    ...(goPackage === undefined ? {} : { goPackage }),
  };
}

/** Stages are named without regard to case. */
const isTarget = ({ name }: Stage, target: string | undefined) =>
  target !== undefined && name.toLowerCase() === target.toLowerCase();

const isInside = (local: string) => local !== '..' && !local.startsWith('../');

/** `FROM image AS name`; a stage that comes from another one goes on where that has ended. */
function newStage(
  { rest }: Instruction,
  globals: ReadonlyMap<string, string | undefined>,
  stages: readonly Stage[],
  workdir: string | undefined,
): Stage {
  const [image = '', , name = String(stages.length)] = wordsOf(rest);
  const base = stageNamed(expanded(image, globals) ?? image, stages);
  if (base) return { ...base, name, values: new Map(base.values), copies: [...base.copies], seen: [...base.seen] };
  const start = image === 'scratch' ? '/' : workdir;
  return {
    name,
    values: new Map(),
    workdir: start,
    copies: [],
    seen: [],
    trimsPath: false,
    goPackage: undefined,
  };
}

const stageNamed = (name: string, stages: readonly Stage[]) =>
  stages.findLast(stage => isTarget(stage, name)) ?? (/^\d+$/.test(name) ? stages[Number(name)] : undefined);

type Build = Readonly<{
  stages: readonly Stage[];
  globals: ReadonlyMap<string, string | undefined>;
  args: Readonly<Record<string, string>>;
}>;

function follow(instruction: Instruction, stage: Stage, { stages, globals, args }: Build): void {
  const { name, rest, flags } = instruction;
  switch (name) {
    case 'ARG':
      return setArg(rest, stage.values, args, globals);
    case 'ENV': {
      const values = assignmentsOf(rest).map(([key, value]) => [key, expanded(value, stage.values)] as const);
      for (const [key, value] of values) stage.values.set(key, value);
      stage.trimsPath ||= /-trimpath\b/.test(stage.values.get('GOFLAGS') ?? '');
      return;
    }
    case 'WORKDIR':
      stage.workdir = inside(stage, expanded(wordsOf(rest).join(' '), stage.values));
      return;
    case 'COPY':
    case 'ADD':
      return copy(instruction, stage, stages.slice(0, -1));
    case 'RUN':
      for (const { value } of flags.filter(flag => flag.name === 'mount')) mount(value, stage);
      return build(rest, stage);
  }
}

/** An argument without a value has the one that stands before the first stage; without that it is empty. */
function setArg(
  rest: string,
  values: Map<string, string | undefined>,
  args: Readonly<Record<string, string>>,
  globals?: ReadonlyMap<string, string | undefined>,
): void {
  const written = assignmentsOf(rest);
  for (const [name, value] of written.length > 0 ? written : wordsOf(rest).map(word => [word, undefined] as const)) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    const own = value === undefined ? globals?.get(name) : expanded(value, values);
    values.set(name, given ?? own ?? (value === undefined ? '' : undefined));
  }
}

/** A path in the stage; `undefined` when it is relative to a directory that nobody knows. */
function inside({ workdir }: Stage, path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  const plain = path.replaceAll('\\', '/');
  if (posix.isAbsolute(plain)) return trimmed(posix.normalize(plain));
  return workdir === undefined ? undefined : trimmed(posix.join(workdir, plain));
}

const trimmed = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path);

function copy({ rest, flags }: Instruction, stage: Stage, before: readonly Stage[]): void {
  const words = wordsOf(rest).map(word => expanded(word, stage.values));
  const written = words.at(-1);
  const to = inside(stage, written);
  if (written === undefined || to === undefined) return;
  const isInto = /[/\\]\.?$|^\.$/.test(written) || words.length > 2 || to === stage.workdir;
  const from = flags.find(({ name }) => name === 'from')?.value;
  const origin = from === undefined ? undefined : stageNamed(from, before);
  if (from !== undefined && !origin) return;
  for (const word of words.slice(0, -1)) {
    if (word === undefined || /^<<|^[a-z]+:\/\/|^git@|\.(?:tar|tgz|tar\.\w+)$/.test(word)) continue;
    if (origin) copyOn(word, origin, stage, to, isInto);
    else stage.copies.push(...copied(word, to, isInto));
  }
}

/** A source of `COPY`, which is relative to the context also where it begins with a slash. */
function copied(source: string, to: string, isInto: boolean): readonly Copy[] {
  const plain = source.replaceAll('\\', '/');
  const local = posix.normalize(plain.replace(/^\/+/, '') || '.').replace(/(?<=.)\/$/, '');
  const base = posix.basename(local);
  if (/[*?[]/.test(posix.dirname(local))) return [];
  if (/[*?[]/.test(base))
    return [{ local: posix.dirname(local), remote: to, kind: base === '*' ? 'directory' : 'file' }];
  if (!/[^.]\.\w+$/.test(base)) {
    const kind = local === '.' || plain.endsWith('/') ? 'directory' : 'unknown';
    return [{ local, remote: to, kind }];
  }
  if (isInto || !/\.\w+$/.test(to)) return [{ local: posix.dirname(local), remote: to, kind: 'file' }];
  const isSameName = base === posix.basename(to);
  return isSameName ? [{ local: posix.dirname(local), remote: posix.dirname(to), kind: 'file' }] : [];
}

/** What comes out of another stage: files of the context that were copied there, and what was made of them. */
function copyOn(source: string, origin: Stage, stage: Stage, to: string, isInto: boolean): void {
  const path = posix.isAbsolute(source) ? source : posix.join('/', source);
  const from = trimmed(posix.normalize(path));
  stage.seen = [...new Set([...stage.seen, ...origin.copies, ...origin.seen])];
  stage.trimsPath ||= origin.trimsPath;
  stage.goPackage ??= origin.goPackage;
  const isFile = /[^./]\.\w+$/.test(posix.basename(from));
  const above = origin.copies
    .filter(({ remote }) => isBelow(from, remote))
    .toSorted((a, b) => b.remote.length - a.remote.length)[0];
  if (above) {
    const local = posix.join(above.local, posix.relative(above.remote, from));
    stage.copies.push(...(isFile ? copied(local, to, isInto) : [{ local, remote: to, kind: 'directory' } as const]));
  }
  for (const { local, remote, kind } of origin.copies)
    if (remote !== from && isBelow(remote, from))
      stage.copies.push({ local, remote: posix.join(to, posix.relative(from, remote)), kind });
}

const isBelow = (path: string, dir: string) => path === dir || dir === '/' || path.startsWith(`${dir}/`);

/** `RUN --mount=type=bind,target=.`: the context is there while something is built. */
function mount(value: string, stage: Stage): void {
  const fields = new Map(value.split(',').map(part => part.split('=', 2) as [string, string | undefined]));
  const type = fields.get('type') ?? 'bind';
  const target = inside(stage, fields.get('target') ?? fields.get('dst') ?? fields.get('destination'));
  if (type !== 'bind' || fields.has('from') || target === undefined) return;
  const source = fields.get('source') ?? fields.get('src') ?? '.';
  stage.seen.push(...copied(`${source}/`, target, true));
}

function build(command: string, stage: Stage): void {
  const found = /\bgo\s+(?:build|install)\b([^&|;\n]*)/.exec(command)?.[1];
  if (found === undefined) return;
  stage.trimsPath ||= /\s-trimpath\b/.test(found);
  stage.goPackage ??= /\s(\.\/\S+)/.exec(found)?.[1];
}
