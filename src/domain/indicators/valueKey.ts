/** What somebody sent, as it may stand in a sentence: the beginning of a text or number; '' for anything else. */
export const quoted = (given: unknown): string =>
  typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, 40) : '';

/**
 * How many bars back a value key asks for: 0 for 'now' and for what is no whole number, as a delay that does not exist
 * is not applied (specification 5).
 */
export function delayOf(valueKey: unknown): number {
  const delay = typeof valueKey === 'string' || typeof valueKey === 'number' ? Number(valueKey) : 0;
  return Number.isInteger(delay) ? delay : 0;
}
