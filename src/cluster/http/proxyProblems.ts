import { UserError } from '../../core/errors.ts';

/** A proxy that cannot be used, and where it is set. */
export const proxyUnusable = (proxy: string, place: string): UserError =>
  new UserError('proxy-unusable', `The proxy ${withoutLogin(proxy)} (${place}) cannot be used.`, {
    remedy: 'Only proxies with an http:// or https:// address are supported; SOCKS proxies are not.',
  });

/** What a proxy answered instead of a connection. */
export const proxyRefused = (proxy: URL, target: string, answer: string): UserError =>
  new UserError('proxy-refused', `The proxy ${proxy.origin} does not connect to ${target}.`, {
    cause: answer,
    remedy: 'Check the login and the rules of the proxy, or exclude the server with NO_PROXY.',
  });

/** A URL without the user name and password in it. */
const withoutLogin = (url: string) => url.replace(/\/\/[^/@]*@/, '//');
