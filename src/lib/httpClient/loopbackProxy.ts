import { isIP } from 'node:net';

/** This machine, as addresses and lists of exceptions name it. */
const OWN_NAMES = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Exempts this machine from `HTTP_PROXY`. `check`, updates and a model on this machine connect to it, and a proxy on another
 * machine would connect to itself instead.
 *
 * @param env changed in place: `fetch` reads the list of exceptions from the process environment
 */
export function exemptOwnMachine(env: Record<string, string | undefined>): void {
  const host = env['BELLBIRD_HOST']?.trim() ?? '';
  const exempt = [env['no_proxy'] ?? env['NO_PROXY'], ...OWN_NAMES, isIP(host) === 6 ? `[${host}]` : host];
  // The lower-case name has precedence, in libraries as in the programs that this process starts.
  for (const name of ['NO_PROXY', 'no_proxy']) env[name] = exempt.filter(Boolean).join(',');
}
