import ipaddr from 'ipaddr.js';

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
