/**
 * The environment as kubectl would need it behind VS Code's proxy: the port-forward opens its own connections, which VS
 * Code does not lead through the proxy of its settings. Variables that are set go before the settings.
 */
export function withProxy(
  env: NodeJS.ProcessEnv,
  proxy: string | undefined,
  noProxy: readonly string[],
): NodeJS.ProcessEnv {
  const isSet = (name: string) => Boolean(env[name] || env[name.toLowerCase()]);
  if (!proxy || isSet('HTTPS_PROXY') || isSet('HTTP_PROXY')) return env;
  const excluded = isSet('NO_PROXY') || noProxy.length === 0 ? {} : { NO_PROXY: noProxy.join(',') };
  return { ...env, HTTPS_PROXY: proxy, HTTP_PROXY: proxy, ...excluded };
}
