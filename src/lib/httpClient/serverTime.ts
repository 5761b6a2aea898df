/**
 * The time that a server's answer states, epoch ms; null if it states none. A copy that was kept on the way is as old as it
 * says. The header has whole seconds, which are half a second old on average.
 */
export function serverTime(headers: Headers): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  const age = Number(headers.get('age') ?? 0);
  return Number.isNaN(date) ? null : date + 500 + (age > 0 ? age * 1000 : 0);
}
