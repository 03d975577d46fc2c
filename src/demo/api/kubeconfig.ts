import type { Identity } from './certificates.ts';

export interface Login {
  readonly context: string;
  /** The context's namespace. */
  readonly namespace: string;
  readonly credentials: { readonly token: string } | Identity;
}

/** A kubeconfig for kubectl and Breakpod; the first login is the current context. JSON, which is YAML too. */
export function kubeconfig(server: string, authority: string, logins: readonly Login[]): string {
  const cluster = 'breakpod-demo';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': logins[0]!.context,
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(authority) } }],
    contexts: logins.map(({ context, namespace }) => ({
      name: context,
      context: { cluster, user: context, namespace },
    })),
    users: logins.map(({ context, credentials }) => ({ name: context, user: userEntry(credentials) })),
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

const userEntry = (credentials: Login['credentials']) =>
  'token' in credentials
    ? { token: credentials.token }
    : {
        'client-certificate-data': base64(credentials.certificate),
        'client-key-data': base64(credentials.key),
      };

const base64 = (content: string) => Buffer.from(content).toString('base64');
