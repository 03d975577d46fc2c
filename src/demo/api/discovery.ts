/** The Kubernetes version whose ways the demo cluster has. */
const VERSION = '1.35';

const resource = (name: string, kind: string, verbs: readonly string[], more: object = {}) => ({
  name,
  singularName: '',
  namespaced: true,
  kind,
  verbs,
  ...more,
});

/** Discovery documents by path: what kubectl reads before its first request. */
export const DISCOVERY: Readonly<Record<string, object>> = {
  '/version': {
    major: '1',
    minor: VERSION.split('.')[1],
    gitVersion: `v${VERSION}.0`,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'node',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  },
  '/api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      {
        name: 'authorization.k8s.io',
        versions: [{ groupVersion: 'authorization.k8s.io/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'authorization.k8s.io/v1', version: 'v1' },
      },
      {
        name: 'coordination.k8s.io',
        versions: [{ groupVersion: 'coordination.k8s.io/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'coordination.k8s.io/v1', version: 'v1' },
      },
    ],
  },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      resource('events', 'Event', ['list'], { singularName: 'event', shortNames: ['ev'] }),
      resource('namespaces', 'Namespace', ['get', 'list'], {
        singularName: 'namespace',
        namespaced: false,
        shortNames: ['ns'],
      }),
      resource('pods', 'Pod', ['delete', 'get', 'list', 'watch'], {
        singularName: 'pod',
        shortNames: ['po'],
        categories: ['all'],
      }),
      resource('pods/exec', 'PodExecOptions', ['create', 'get']),
      resource('pods/log', 'Pod', ['get']),
      resource('pods/portforward', 'PodPortForwardOptions', ['create', 'get']),
    ],
  },
  '/apis/authorization.k8s.io/v1': {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'authorization.k8s.io/v1',
    resources: [resource('selfsubjectaccessreviews', 'SelfSubjectAccessReview', ['create'], { namespaced: false })],
  },
  '/apis/coordination.k8s.io/v1': {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'coordination.k8s.io/v1',
    resources: [resource('leases', 'Lease', ['list'], { singularName: 'lease' })],
  },
};
