import ipaddr from 'ipaddr.js';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

const MAPPED_BITS = 96;

/** Null unless the address is written in full; short forms of IPv4 ("1", "0x7f.1") are refused. */
function parseAddress(text: string): Address | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}

function parseRange(text: string): Range | null {
  const [name = '', bits, ...rest] = text.split('/');
  const address = parseAddress(name);
  if (!address || rest.length > 0) return null;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, width];
  if (!/^\d{1,3}$/.test(bits)) return null;
  const isMapped = address.kind() === 'ipv4' && name.includes(':');
  const length = isMapped ? Number(bits) - MAPPED_BITS : Number(bits);
  return length >= 0 && length <= width ? [address, length] : null;
}

export const isAddressRange = (text: string): boolean => parseRange(text) !== null;

export const isEverybody = (text: string): boolean => parseRange(text)?.[1] === 0;

/**
 * @param list addresses and networks in CIDR form, IPv4 and IPv6; unreadable ones match nothing
 * @returns whether an address is in the list
 */
export function createAddressRanges(list: readonly string[]): (address: string) => boolean {
  const ranges = list.map(parseRange).filter((range) => range !== null);
  return (text) => {
    const address = parseAddress(text);
    if (!address) return false;
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  };
}

const OWN_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);
const OWN_NAME = /^[^.]{1,63}$|\.(?:local|lan|home|home\.arpa|internal|localhost)$/i;

/** Whether a URL's host (IPv6 in brackets) is in a private network, by its address or its name. */
export function isOwnNetwork(hostname: string): boolean {
  const address = parseAddress(hostname.replaceAll(/[[\]]/g, ''));
  return address === null ? OWN_NAME.test(hostname) : OWN_RANGES.has(address.range());
}

/**
 * The address in one entry of `X-Forwarded-For`: bare, with a port, or in brackets.
 * @returns its usual form, an IPv4-mapped address as IPv4; null for anything else ("unknown")
 */
export function forwardedAddress(entry: string): string | null {
  const text = entry.trim();
  const inBrackets = /^\[([^\]]{1,60})\](?::\d{1,5})?$/.exec(text)?.[1];
  const beforePort = /^([\d.]{7,15}):\d{1,5}$/.exec(text)?.[1];
  return parseAddress(inBrackets ?? beforePort ?? text)?.toString() ?? null;
}

const MAX_LENGTH = 64;

/**
 * The part of an address that one household or server owns: all of IPv4, the first 64 bits of IPv6.
 * @param address from the connection or a proxy; anything else is its own key, truncated
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH);
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

function interfacesBy(read: () => Interfaces): Interfaces {
  try {
    return read();
  } catch {
    // A hardened service without AF_NETLINK may not list them.
    return {};
  }
}

/** The first external address of this machine, IPv4 before IPv6; null without a network, or if it is unknown. */
export function externalAddress(read: () => Interfaces = networkInterfaces): string | null {
  const all = Object.values(interfacesBy(read))
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (all.find(({ family }) => family === 'IPv4') ?? all[0])?.address ?? null;
}

/** The address to listen on for all addresses. `::` takes IPv4 too, but fails if IPv6 is switched off. */
export const everyAddress = (read?: () => Interfaces): string =>
  externalAddress(read)?.includes(':') ? '::' : '0.0.0.0';

export const isEveryAddress = (host: string): boolean => ['0.0.0.0', '::', ''].includes(host);

export const hostAndPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The address at which this machine reaches its own server. @param host that it listens on */
export function ownAddress({ host, port }: { host: string; port: number }): string {
  const own = host === '::' ? '::1' : isEveryAddress(host) ? '127.0.0.1' : host;
  return `http://${hostAndPort(own, port)}`;
}
