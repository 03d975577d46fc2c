import type { Authority } from './api/certificates.ts';
import type { Login } from './api/kubeconfig.ts';
import type { Rule, Users } from './api/users.ts';

const READ = ['get', 'list', 'watch'];
const readPods: Rule = { verbs: READ, resources: ['pods', 'pods/log', 'namespaces'] };

/**
 * The users of the demo cluster, a context each: `breakpod-demo` may do all and logs in by certificate;
 * `breakpod-demo-viewer` sees all pods and may not forward; `breakpod-demo-shop` has the least rights that Breakpod
 * needs, in the namespace `shop`. The last two log in by token.
 */
export function createLogins(authority: Authority, users: Users): Login[] {
  const admin = { name: 'breakpod-demo', groups: ['system:masters'], rules: [] };
  const viewer = { name: 'breakpod-demo-viewer', groups: [], rules: [readPods] };
  const shop = {
    name: 'breakpod-demo-shop',
    groups: [],
    rules: [
      { verbs: READ, resources: ['pods', 'pods/log'], namespace: 'shop' },
      { verbs: ['create'], resources: ['pods/portforward'], namespace: 'shop' },
    ],
  };
  users.add(admin);
  const namespace = 'shop';
  return [
    { context: admin.name, namespace, credentials: authority.client(admin.name, admin.groups) },
    { context: viewer.name, namespace, credentials: { token: users.addToken(viewer) } },
    { context: shop.name, namespace, credentials: { token: users.addToken(shop) } },
  ];
}
