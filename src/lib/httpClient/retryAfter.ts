/**
 * Reads a Retry-After header: seconds, or an HTTP date.
 * @param header the header's text, null when absent
 * @param now epoch ms
 * @returns ms from now, at least 0; null when absent or unreadable
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.round(Number(text) * 1000);
  // A bare number that is no count of seconds would be read as a year.
  if (!/[a-z]/i.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
