import { isIP } from 'node:net';

/** Names that are resolved in one network only. */
const PRIVATE = /(^|\.)(local|localhost|internal|intranet|private|lan|home|corp|home\.arpa|test|invalid)$/;

/** Whether a host has a name that everybody may resolve; an IP address is no name. */
export const isPublicHost = (hostname: string): boolean =>
  hostname.includes('.') && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 && !PRIVATE.test(hostname);
