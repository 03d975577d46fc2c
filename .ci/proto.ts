// `npm run proto`: TypeScript for Skaffold's services, from src/proto into src/proto/gen. Needs protoc and the
// protos that come with it (Debian: protobuf-compiler, libprotobuf-dev), which is why what it writes is committed.
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runCommand } from './lib/command.ts';
import { aptInstall, provide } from './lib/needs.ts';
import { inRoot } from './lib/paths.ts';

/** The first line of what a proto became; a test sees by it when the proto is newer. `text` is the proto's. */
export const stampOf = (text: string): string =>
  `// By \`npm run proto\`, of the proto with the SHA-256 ${createHash('sha256').update(text).digest('hex')}`;

const options = [
  'outputServices=grpc-js', // clients and service definitions
  'outputJsonMethods=false',
  'outputPartialMethods=true', // `fromPartial`: what is missing of a message gets its zero
  'useExactTypes=false',
  'esModuleInterop=true',
  'env=node',
  'importSuffix=.ts',
  'enumsAsLiterals=true', // Node runs no `enum`
  'unrecognizedEnum=false', // a number that has no name stays a number
  'snakeToCamel=false', // names as Skaffold writes them in JSON
  'useDate=false', // a Date has no nanoseconds
];

const SOURCES = inRoot('src', 'proto');
const GENERATED = inRoot('src', 'proto', 'gen');

const protoc = {
  name: "the compiler of protos (Debian's protobuf-compiler and libprotobuf-dev)",
  isThere: async () => (await runCommand('protoc', ['--version'])).ok,
  install: async () => {
    for (const name of ['protobuf-compiler', 'libprotobuf-dev'])
      await aptInstall(name, 'Please install protoc and the protos that come with it.');
  },
};

async function mustRun(command: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await runCommand(command, [...args]);
  if (!ok) throw new Error(`${basename(command)}: ${output.trim()}`);
}

async function generate(): Promise<void> {
  await provide(protoc);
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED);
  const plugin = inRoot('node_modules', '.bin', 'protoc-gen-ts_proto');
  const protos = globSync('*.proto', { cwd: SOURCES });
  await mustRun('protoc', [
    ...[`--plugin=${plugin}`, '-I', SOURCES, `--ts_proto_out=${GENERATED}`, `--ts_proto_opt=${options.join(',')}`],
    ...protos,
  ]);
  for (const file of globSync('**/*.ts', { cwd: GENERATED })) {
    const proto = file.replace(/\.ts$/, '.proto');
    const stamp = protos.includes(proto) ? `${stampOf(readFileSync(join(SOURCES, proto), 'utf8'))}\n` : '';
    writeFileSync(join(GENERATED, file), `${stamp}${readFileSync(join(GENERATED, file), 'utf8')}`);
  }
  await mustRun(inRoot('node_modules', '.bin', 'prettier'), ['--write', '--log-level', 'warn', GENERATED]);
}

if (import.meta.main) await generate();
