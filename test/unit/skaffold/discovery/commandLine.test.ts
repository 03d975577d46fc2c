import assert from 'node:assert/strict';
import test from 'node:test';
import { type CommandLine, debugOf, type Selection } from '../../../../src/skaffold/discovery/commandLine.ts';

type Want = Partial<Omit<CommandLine, 'selection'> & Selection>;

const debugs: { name: string; words: string[]; env?: Record<string, string>; want: Want }[] = [
  { name: 'no more', words: ['skaffold', 'debug'], want: {} },
  { name: 'a path', words: ['/usr/local/bin/skaffold', 'debug', '--rpc-port', '1'], want: { rpcPort: 1 } },
  { name: 'a version', words: ['/opt/skaffold-v2.24.0', 'debug', '--rpc-port=1'], want: { rpcPort: 1 } },
  { name: 'a platform', words: ['./skaffold-linux-amd64', 'debug'], want: {} },
  { name: 'Windows', words: ['C:\\Program Files\\Skaffold.EXE', 'debug', '--rpc-port=1'], want: { rpcPort: 1 } },
  { name: 'a script', words: ['/bin/sh', '-e', '/usr/bin/skaffold', 'debug'], want: {} },
  { name: 'a script of Node', words: ['/opt/bin/node', '/opt/skaffold', 'debug'], want: {} },
  { name: 'an option before the command', words: ['skaffold', '-v', 'info', '--color=0', 'debug'], want: {} },
  {
    name: 'long options',
    words: [
      ...['skaffold', 'debug', '--filename', 'a.yaml', '--namespace=shop', '--kube-context', 'kind', '--module', 'api'],
      ...['--module=web,db', '--profile', '-slow', '--profile=dev', '--rpc-http-port', '2', '--rpc-port', '0'],
    ],
    want: {
      ...{ file: 'a.yaml', namespace: 'shop', kubeContext: 'kind', httpPort: 2, rpcPort: 0 },
      ...{ modules: ['api', 'web', 'db'], profiles: ['-slow', 'dev'] },
    },
  },
  {
    name: 'short options',
    words: ['skaffold', 'debug', '-f', '-', '-nshop', '-m=api', '-p', 'a', '-pb,c', '-d', 'repo'],
    want: { file: '-', namespace: 'shop', modules: ['api'], profiles: ['a', 'b', 'c'] },
  },
  { name: 'the last of two', words: ['skaffold', 'debug', '-n', 'a', '--namespace=b'], want: { namespace: 'b' } },
  { name: 'options of others', words: ['skaffold', 'debug', '--port-forward', '--tail', '-i', '5', '-l'], want: {} },
  { name: 'the value missing', words: ['skaffold', 'debug', '--rpc-port'], want: {} },
  { name: 'no number', words: ['skaffold', 'debug', '--rpc-port=x'], want: {} },
  { name: 'no port', words: ['skaffold', 'debug', '--rpc-port=70000'], want: {} },
  { name: 'after the options', words: ['skaffold', 'debug', '--', '--rpc-port=1'], want: {} },
  {
    name: 'variables',
    words: ['skaffold', 'debug', '-p', 'own', '-n', 'own'],
    env: {
      SKAFFOLD_RPC_PORT: '5',
      SKAFFOLD_PROFILE: 'theirs',
      SKAFFOLD_NAMESPACE: 'theirs',
      SKAFFOLD_KUBE_CONTEXT: 'kind',
    },
    want: { rpcPort: 5, profiles: ['theirs', 'own'], namespace: 'own', kubeContext: 'kind' },
  },
];

for (const { name, words, env, want } of debugs)
  test(`a debug is recognised: ${name}`, () => {
    const { selection, ...rest } = debugOf(words, env)!;
    assert.deepEqual({ ...rest, ...selection }, { modules: [], profiles: [], ...want });
  });

const others: { name: string; words: string[] }[] = [
  { name: 'nothing', words: [] },
  { name: 'another command', words: ['skaffold', 'dev', '--rpc-port=1'] },
  { name: 'another command with that word', words: ['skaffold', 'run', 'debug'] },
  { name: 'no command', words: ['skaffold', '-v', 'debug'] },
  { name: 'another program', words: ['kubectl', 'debug'] },
  { name: 'a name that only begins so', words: ['skaffoldish', 'debug'] },
  { name: 'its file', words: ['vi', 'skaffold.yaml', 'debug'] },
  { name: 'a file of a profile', words: ['vi', 'skaffold-dev.yaml', 'debug'] },
  { name: 'an editor', words: ['vim', 'skaffold', 'debug', '--rpc-port', '1'] },
  { name: 'a search in a file of that name', words: ['/bin/grep', 'skaffold', 'debug'] },
  { name: 'a search for it', words: ['grep', '-r', '-i', 'skaffold', 'debug'] },
  { name: 'a shell that will start it', words: ['bash', '-c', 'skaffold debug --rpc-port=1'] },
];
for (const { name, words } of others) test(`not a debug: ${name}`, () => assert.equal(debugOf(words), undefined));
