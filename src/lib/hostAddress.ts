import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** The first address by which other machines reach this one, IPv4 before IPv6; null without a network. */
export function externalAddress(interfaces: Interfaces = networkInterfaces()): string | null {
  const all = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (all.find(({ family }) => family === 'IPv4') ?? all[0])?.address ?? null;
}

/** What a server listens on to be reached by every address. `::` takes IPv4 too, but not where IPv6 is switched off. */
export const everyAddress = (interfaces?: Interfaces): string =>
  externalAddress(interfaces)?.includes(':') ? '::' : '0.0.0.0';

export const isEveryAddress = (host: string): boolean => ['0.0.0.0', '::', ''].includes(host);

/** Host and port as a URL has them: an IPv6 address in brackets. */
export const hostAndPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Where this machine reaches a server of its own. @param host that it listens on */
export function ownAddress({ host, port }: { host: string; port: number }): string {
  const own = host === '::' ? '::1' : isEveryAddress(host) ? '127.0.0.1' : host;
  return `http://${hostAndPort(own, port)}`;
}
