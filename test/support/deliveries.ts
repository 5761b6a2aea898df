import type { Arrival } from './failingPlatform.ts';

/** Problems that chat users would notice, as sentences; empty if there are none. */
export function complaints(
  sent: readonly { chatId: string; text: string }[],
  arrivals: readonly Arrival[],
): string[] {
  const found: string[] = [];
  const titleOf = (text: string): string => (text.split('\n')[0] ?? '').replaceAll('**', '');
  const seen = new Map<string, number>();
  /** Messages in the order they were written, by chat. */
  const order = new Map<string, string[]>();
  for (const { chatId, text } of sent) order.set(chatId, [...(order.get(chatId) ?? []), text]);
  const reached = new Map<string, number>();
  for (const { chatId, text, isMarked } of arrivals) {
    const key = `${chatId} ${titleOf(text)}`;
    const copies = (seen.get(key) ?? 0) + 1;
    seen.set(key, copies);
    if (copies > 1 && !isMarked) found.push(`${key} came again without a mark`);
    const at = order.get(chatId)?.indexOf(titleOf(text)) ?? -1;
    if (at === -1) found.push(`${key} was never written`);
    if (at < (reached.get(chatId) ?? 0)) found.push(`${key} came after a later message`);
    reached.set(chatId, Math.max(at, reached.get(chatId) ?? 0));
  }
  for (const { chatId, text } of sent) {
    if (!seen.has(`${chatId} ${text}`)) found.push(`${chatId} ${text} never came`);
  }
  return found;
}

/** The highest count within a time window. @param times in any order, ms */
export function mostWithin(times: readonly number[], ms: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let from = 0;
  let most = 0;
  for (const [at, time] of sorted.entries()) {
    while ((sorted[from] ?? time) <= time - ms) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}
