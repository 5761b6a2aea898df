import { formatTime } from '#texts/format.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';

/** What fired, in a few words: 'BHP: Breakout', 'BHP', 'Alert'. */
export const triggerTitle = ({ symbol, name }: AlertTrigger): string =>
  [symbol, name].filter((part) => part !== null).join(': ') || 'Alert';

/** What a screen reader is told. */
export const triggerSentence = (trigger: AlertTrigger): string =>
  `Alert fired. ${triggerTitle(trigger)}. ${triggerValues(trigger) ?? ''}`.trim();

/** The values that it saw, without the symbol, which stands before them already. */
export function triggerValues({ symbol, text }: AlertTrigger): string | null {
  return symbol !== null && text?.startsWith(`${symbol} `) ? text.slice(symbol.length + 1) : text;
}

/** The same without its time, which has a place of its own in the line. */
export const lineValues = (trigger: AlertTrigger): string =>
  triggerValues(trigger)?.replace(` · ${formatTime(trigger.marketAt)} Sydney`, '') ?? 'Alert fired';
