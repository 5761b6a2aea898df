import { counted, DASH, formatNumber, formatSigned } from '#texts/format.ts';
import {
  LEFT_OUT,
  type LeftOut,
  MIN_DAYS,
  MIN_ENTRIES,
  type OddsDays,
  type OddsLuck,
  type OddsResult,
  type OddsSample,
} from './result.ts';
import type { OddsExit, OddsSettings } from './settings.ts';

/** Two decimals below 1 %, because a small mean matters over many trades; otherwise one. */
const decimalsOf = (percent: number): number => (Math.abs(percent) < 0.995 ? 2 : 1);

/** '+0.42%', '−1.2%'; a dash if it is missing. */
export const percentText = (percent: number | null): string =>
  percent === null ? DASH : signedText(percent, decimalsOf(percent));

const signedText = (percent: number, decimals: number): string => `${formatSigned(percent, decimals)}%`;

/** '4.0%', without its direction; a dash if it is missing. */
export const sizeText = (percent: number | null): string =>
  percentText(percent && Math.abs(percent)).replace('+', '');

/** '−1.5% to −0.9%', with the same decimals, more if both would look equal; a dash without an interval. */
export function intervalText({ low, high }: Pick<OddsSample, 'low' | 'high'>): string {
  if (low === null || high === null) return DASH;
  const decimals = Math.min(decimalsOf(low), decimalsOf(high));
  const isNarrow = signedText(low, decimals) === signedText(high, decimals);
  return [low, high].map((end) => signedText(end, isNarrow ? 2 : decimals)).join(' to ');
}

/** The direction of a percentage as it is shown: 0.001 is flat. */
export const toneOf = (percent: number | null): 'up' | 'down' | 'flat' => {
  if (percent === null || Math.abs(percent) < 0.005) return 'flat';
  return percent > 0 ? 'up' : 'down';
};

export const entriesText = (count: number): string =>
  count === 1 ? '1 entry' : `${formatNumber(count, 0)} entries`;

const wonText = (percent: number): string => {
  const tone = toneOf(percent);
  if (tone === 'flat') return 'neither made nor lost money';
  return `${tone === 'up' ? 'made' : 'lost'} ${sizeText(percent)}`;
};

/** The answer in one sentence. */
export function verdictText({ entries, mean, isTooFew }: OddsSample): string {
  if (entries === 0 || mean === null) return 'No trades to judge.';
  if (isTooFew) return 'Too few to say.';
  if (toneOf(mean) === 'flat') return 'Neither made nor lost money after costs.';
  return `${toneOf(mean) === 'up' ? 'Made' : 'Lost'} ${sizeText(mean)} per trade after costs.`;
}

export const sampleText = ({ entries, days }: Pick<OddsSample, 'entries' | 'days'>): string =>
  `${entriesText(entries)} on ${counted(days, 'day')}.`;

/** Whether the answer may be luck, in one sentence; null without a trade. */
export function luckText({ all, heldOut }: OddsResult, luck: OddsLuck | null): string | null {
  const { entries, mean, low, high, isTooFew } = all;
  if (entries === 0 || mean === null) return null;
  if (isTooFew || low === null || high === null) {
    return `It takes at least ${MIN_ENTRIES} entries on ${MIN_DAYS} days to tell an edge from luck.`;
  }
  const interval = `the 95% interval is ${intervalText(all)}`;
  if (low <= 0 && high >= 0) return `This may be luck: ${interval}.`;
  if (mean < 0) return `Luck alone rarely shows this: ${interval}.`;
  if (luck !== null && luck.variants > 1 && luck.high >= mean) {
    return `This may be luck: the best of ${luck.variants} variants shows up to ${percentText(luck.high)} without any edge.`;
  }
  if (heldOut.mean === null || heldOut.isTooFew) {
    return `It is not confirmed: the last third, kept apart, has only ${sampleText(heldOut)}`;
  }
  if (heldOut.mean <= 0) {
    return `This may be luck: the last third, kept apart, ${wonText(heldOut.mean)}.`;
  }
  return `Luck alone rarely shows this: ${interval}, and the last third, kept apart, ${wonText(heldOut.mean)}.`;
}

/** What the number of tries means; null for the first. */
export const variantsText = ({ variants, median, high }: OddsLuck): string | null =>
  variants < 2
    ? null
    : `You have tried ${variants} variants of this scan in 90 days. Without any edge, the best of ${variants} shows ` +
      `about ${percentText(median)} per trade, and one time in 20 more than ${percentText(high)}.`;

const stepText = (steps: number): string => (steps === 1 ? '1 price step' : `${steps} price steps`);

export const costsText = ({ amount, brokerage, minBrokerage, steps }: OddsSettings): string =>
  `${brokerage}% brokerage (at least $${formatNumber(minBrokerage, Number.isInteger(minBrokerage) ? 0 : 2)}) ` +
  `on each side of $${formatNumber(amount, 0)}, and ${stepText(steps)} of spread`;

/** The end of a sentence about a trade: 'sold 30 minutes later'. */
export function exitText(exit: OddsExit): string {
  switch (exit.kind) {
    case 'minutes':
      return `sold ${exit.minutes} minutes later`;
    case 'close':
      return 'sold at the close';
    case 'nextOpen':
      return 'sold at the next open';
    case 'stopTarget':
      return `sold at −${exit.stop}% or +${exit.target}%, otherwise at the close`;
  }
}

const LEFT_OUT_TEXTS: Readonly<Record<LeftOut, string>> = {
  noFill: 'no trade followed on that day',
  noExit: 'there was no trade to sell at yet',
  gap: 'prices are missing between buying and selling',
};

/** Sentences about what is not part of the answer. */
export function missingTexts({ leftOut, days, notes }: OddsResult): string[] {
  const left = LEFT_OUT.filter((reason) => leftOut[reason] > 0).map(
    (reason) => `${entriesText(leftOut[reason])} left out: ${LEFT_OUT_TEXTS[reason]}.`,
  );
  return [...notes, ...left, ...gapTexts(days)];
}

function gapTexts({ gapMinutes }: OddsDays): string[] {
  const total = gapMinutes.reduce((sum, minutes) => sum + minutes, 0);
  const days = gapMinutes.filter((minutes) => minutes > 0).length;
  return total === 0
    ? []
    : [
        `Prices are missing for ${counted(total, 'minute')} on ${days} of ${counted(gapMinutes.length, 'day')}.`,
      ];
}
