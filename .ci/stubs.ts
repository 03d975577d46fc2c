import type { Plugin } from 'esbuild';

/**
 * What client-node's `KubeConfig` imports and `applyToHTTPSOptions` never uses: its own requests and their generated
 * models, reading files, OIDC logins, JSON paths, SOCKS. They would make the bundle ten times as large, and undici 8
 * does not load on every Node that VS Code has had.
 */
const STUBBED = /^(undici|js-yaml|openid-client|jsonpath-plus|socks|socks-proxy-agent|\.\/gen\/index\.js)$/;

/** Leaves out the parts of third-party libraries that no code path of ours reaches; what is used after all throws then. */
export const stubPlugin: Plugin = {
  name: 'stubs',
  setup(build) {
    build.onResolve({ filter: STUBBED }, ({ path, importer }) =>
      /[/\\]@kubernetes[/\\]client-node[/\\]/.test(importer) ? { path, namespace: 'stub' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};
