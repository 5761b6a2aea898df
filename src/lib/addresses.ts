import ipaddr from 'ipaddr.js';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** This machine itself. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];

const MAPPED_BITS = 96;

/** An address as it is written in full, or null; short forms of IPv4 ("1", "0x7f.1") are none. */
function parseAddress(text: string): Address | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  // An IPv4 address that came through an IPv6 socket counts as what it is.
  return ipaddr.process(text);
}

/** An address or a network ("10.0.0.0/8"); null when it is neither. */
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

/** True for a text that `createAddressRanges` takes. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== null;

/** True for a network that every address of its kind is in. */
export const isEverybody = (text: string): boolean => parseRange(text)?.[1] === 0;

/**
 * @param list addresses and networks in CIDR form, IPv4 and IPv6; those that can't be read match nothing
 * @returns a function that tells whether an address is one of them, or in one of them
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

/** Whether a host of an address (IPv6 in brackets) is in a network of one's own, by its address or by how it is called. */
export function isOwnNetwork(hostname: string): boolean {
  const address = parseAddress(hostname.replaceAll(/[[\]]/g, ''));
  return address === null ? OWN_NAME.test(hostname) : OWN_RANGES.has(address.range());
}

/**
 * The address in one entry of `X-Forwarded-For`: bare, with a port, or in brackets.
 *
 * @returns it in its usual form, an IPv4 address in IPv6 clothing as IPv4; null for anything else ("unknown")
 */
export function forwardedAddress(entry: string): string | null {
  const text = entry.trim();
  const inBrackets = /^\[([^\]]{1,60})\](?::\d{1,5})?$/.exec(text)?.[1];
  const beforePort = /^([\d.]{7,15}):\d{1,5}$/.exec(text)?.[1];
  return parseAddress(inBrackets ?? beforePort ?? text)?.toString() ?? null;
}

/** No address is longer; a header that is said to hold one may be. */
const MAX_LENGTH = 64;

/**
 * The part of an address that one household or server owns: an IPv4 address whole, an IPv6 address' first 64 bits.
 * @param address as the connection or a proxy tells it; what is no address is its own key, cut short
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH);
  // An IPv4 address that came through an IPv6 socket counts as what it is.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

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
