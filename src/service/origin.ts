import { codes } from '../proto/codes.ts';
import { Refused } from './problems.ts';

/** What a request says of where it comes from: `host` is `Host`, or `:authority` of HTTP/2. */
export type From = Readonly<{ host: string | undefined; origin: string | undefined; site: string | undefined }>;

/** A host of the loopback, with or without a port: a forward can have brought the request here under another one. */
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses what a web page has sent: it reaches the loopback, too, under its own name when that has been made to lead here (DNS
 * rebinding). Programs that are no browser send no `Origin`. Throws `Refused`.
 */
export function checkFrom({ host, origin, site }: From): void {
  if (host === undefined || !ownHost.test(host))
    throw new Refused(codes.PERMISSION_DENIED, 'Only requests to 127.0.0.1, localhost or [::1] are answered.');
  if (origin !== undefined || (site !== undefined && site !== 'none'))
    throw new Refused(codes.PERMISSION_DENIED, 'Requests of web pages are not answered.');
}
