import path from 'node:path';
import type { Environment } from '../../lib/command.ts';

/** Where kubeconfigs are looked for. */
export interface KubeconfigPlace {
  readonly env: Environment;
  /** The user's home directory. */
  readonly home: string;
  /** A file that the user named; then no other counts, and it has to exist. */
  readonly explicitFile?: string | undefined;
}

/**
 * The kubeconfig files in their order of precedence, whether they exist or not: the named one, else those of KUBECONFIG,
 * else `~/.kube/config` (client-go `tools/clientcmd/loader.go`, GetLoadingPrecedence).
 */
export function kubeconfigFiles({ env, home, explicitFile }: KubeconfigPlace): readonly string[] {
  if (explicitFile) return [path.resolve(explicitFile)];
  const named = env['KUBECONFIG'];
  if (!named) return [path.join(home, '.kube', 'config')];
  const files = named.split(path.delimiter).filter(file => file !== '');
  return [...new Set(files.map(file => path.resolve(file)))];
}
