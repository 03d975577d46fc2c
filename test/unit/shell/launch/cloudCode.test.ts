import assert from 'node:assert/strict';
import test from 'node:test';
import { cloudCodeIn, fromCloudCode } from '../../../../src/shell/launch/cloudCode.ts';
import { launchOf } from '../../../../src/shell/launch/launchOptions.ts';

const written = {
  name: 'Kubernetes: Run/Debug',
  type: 'cloudcode.kubernetes',
  request: 'launch',
  skaffoldConfig: '${workspaceFolder}/skaffold.yaml',
  profile: 'dev',
  watch: true,
  cleanUp: false,
  portForward: false,
  imageRegistry: 'registry.example/shop',
  debug: [
    {
      image: 'shop/web',
      containerName: 'web',
      sourceFileMap: { '${workspaceFolder}/web': '/app', '${workspaceFolder}/lib': '/lib' },
    },
    { image: 'none' },
    7,
  ],
};

test('Cloud Code: its launch configurations, and no others', () => {
  const attach = { ...written, request: 'attach' };
  assert.deepEqual(cloudCodeIn([{ type: 'node' }, written, attach, null]), [written]);
  assert.deepEqual(cloudCodeIn(undefined), []);
});

test('Cloud Code: all that it says is taken over', () =>
  assert.deepEqual(fromCloudCode(written), {
    name: 'Kubernetes: Run/Debug (Breakpod)',
    type: 'breakpod',
    request: 'launch',
    skaffoldFile: '${workspaceFolder}/skaffold.yaml',
    profiles: ['dev'],
    args: ['--default-repo', 'registry.example/shop', '--auto-build', '--auto-sync', '--auto-deploy'],
    portForward: ['off'],
    cleanUp: false,
    artifacts: [
      {
        image: 'shop/web',
        configuration: {
          localRoot: '${workspaceFolder}/web',
          remoteRoot: '/app',
          pathMappings: [
            { localRoot: '${workspaceFolder}/web', remoteRoot: '/app' },
            { localRoot: '${workspaceFolder}/lib', remoteRoot: '/lib' },
          ],
          substitutePath: [
            { from: '${workspaceFolder}/web', to: '/app' },
            { from: '${workspaceFolder}/lib', to: '/lib' },
          ],
        },
      },
    ],
  }));

test('Cloud Code: what it leaves out is left out, and the result can be launched', () => {
  assert.deepEqual(fromCloudCode({ type: 'cloudcode.kubernetes' }), {
    name: 'Kubernetes (Breakpod)',
    type: 'breakpod',
    request: 'launch',
  });
  const defaults = {
    launch: {
      autoAttach: 'always',
      skaffoldPath: 'skaffold',
      portForward: ['user'],
      cleanUpTimeout: 1,
      drainTimeout: 1,
    },
    attach: {},
  };
  const { launch, rules } = launchOf(fromCloudCode(written), { folder: '/ws', home: '/home/me', defaults });
  assert.equal(launch.file, '/ws/skaffold.yaml');
  assert.deepEqual(launch.portForward, ['off']);
  assert.ok(rules.artifacts.has('shop/web'));
});
