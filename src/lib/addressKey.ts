import ipaddr from 'ipaddr.js';

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
