import { networkInterfaces } from 'node:os';

/** The first address by which other machines of the local network reach this one; null without a network. */
function lanAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find((entry) => !entry.internal && entry.family === 'IPv4')?.address ?? null;
}

/**
 * The address that people open: the public one when it is set, else this machine's in its network.
 *
 * @param listening host as configured and the real port
 */
export function publicAddress(
  publicUrl: string | null,
  listening: { host: string; port: number },
  findLan: () => string | null = lanAddress,
): string {
  if (publicUrl !== null) return publicUrl;
  const everywhere = ['0.0.0.0', '::', ''].includes(listening.host);
  const host = everywhere ? (findLan() ?? 'localhost') : listening.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
}

/** The one-time link by which the first administrator registers. */
export const setupLink = (address: string, token: string): string => `${address}/#/register?setup=${token}`;
