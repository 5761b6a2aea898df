import { externalAddress, hostAndPort, isEveryAddress } from '#lib/addresses.ts';

/**
 * The address that people open: the public one when it is set, else this machine's in its network.
 *
 * @param listening host as configured and the real port
 */
export function publicAddress(
  publicUrl: string | null,
  listening: { host: string; port: number },
  findLan: () => string | null = externalAddress,
): string {
  if (publicUrl !== null) return publicUrl;
  const host = isEveryAddress(listening.host) ? (findLan() ?? 'localhost') : listening.host;
  return `http://${hostAndPort(host, listening.port)}`;
}

/** The one-time link by which the first administrator registers. */
export const setupLink = (address: string, token: string): string => `${address}/#/register?setup=${token}`;
