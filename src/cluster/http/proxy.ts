import net from 'node:net';
import type { Environment } from '../../lib/command.ts';
import { hostOf, portOf } from './dial.ts';
import { proxyUnusable } from './proxyProblems.ts';

/**
 * The proxy for a server: `proxy-url` of the cluster entry, else HTTPS_PROXY or HTTP_PROXY unless NO_PROXY excludes the
 * server (the rules of Go's `golang.org/x/net/http/httpproxy`, which kubectl uses; it never proxies loopback then).
 * Throws `UserError` for a proxy that is not HTTP.
 */
export function proxyFor(server: URL, proxyUrl: string | undefined, env: Environment): URL | undefined {
  if (proxyUrl) return parseProxy(proxyUrl, 'proxy-url in the kubeconfig');
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[name] || env[name.toLowerCase()];
  if (!value || isExcluded(server, env['NO_PROXY'] || env['no_proxy'] || '')) return undefined;
  return parseProxy(value.includes('://') ? value : `http://${value}`, name);
}

function parseProxy(text: string, place: string): URL {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw proxyUnusable(text, place);
  return url;
}

function isExcluded(server: URL, noProxy: string): boolean {
  const host = hostOf(server).toLowerCase();
  if (host === 'localhost' || host === '::1' || (net.isIPv4(host) && host.startsWith('127.'))) return true;
  return noProxy.split(',').some(entry => matches(entry.trim().toLowerCase(), host, portOf(server)));
}

/** One entry of NO_PROXY: `*`, an address, a CIDR block, a domain (its subdomains too), `.domain` (only those). */
function matches(entry: string, host: string, port: number): boolean {
  if (entry === '' || entry === '*') return entry === '*';
  if (entry.includes('/')) return isInBlock(entry, host);
  const { name, only } = splitPort(entry);
  if (only !== undefined && only !== port) return false;
  if (net.isIP(name)) return name === host;
  const domain = name.replace(/^\*/, '');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): { name: string; only?: number } {
  if (net.isIPv6(entry)) return { name: entry };
  const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: name.replace(/^\[(.*)\]$/, '$1'), ...(port ? { only: Number(port) } : {}) };
}

function isInBlock(block: string, host: string): boolean {
  const [address = '', bits = ''] = block.split('/');
  const most = net.isIPv6(address) ? 128 : 32;
  if (net.isIP(address) === 0 || net.isIP(host) === 0 || !/^\d+$/.test(bits) || Number(bits) > most) return false;
  const list = new net.BlockList();
  list.addSubnet(address, Number(bits), familyOf(address));
  return list.check(host, familyOf(host));
}

const familyOf = (address: string) => (net.isIPv6(address) ? 'ipv6' : 'ipv4');
