import { describe, expect, test } from 'bun:test';
import { minuteText } from '#lib/text.ts';
import {
  costsText,
  exitText,
  luckText,
  missingTexts,
  percentText,
  sampleText,
  toneOf,
  variantsText,
  verdictText,
} from '#subjects/odds/rules/oddsText.ts';
import { DEFAULT_ODDS_SETTINGS } from '#subjects/odds/rules/settings.ts';
import { anOddsResult, anOddsSample } from '#support/anOddsResult.ts';

test('shows two decimals below 1 %, otherwise one, with a true minus sign', () => {
  expect([0.424, 1.24, -0.996, -12.34, 0, null].map(percentText)).toEqual([
    '+0.42%',
    '+1.2%',
    '−1.0%',
    '−12.3%',
    '0.00%',
    '–',
  ]);
});

test('tones follow the shown number', () => {
  expect([0.2, -0.2, 0.004, null].map(toneOf)).toEqual(['up', 'down', 'flat', 'flat']);
});

describe('the verdict', () => {
  test('says made or lost after costs, and on how much', () => {
    expect(verdictText(anOddsSample())).toBe('Lost 1.2% per trade after costs.');
    expect(verdictText(anOddsSample({ mean: 0.42 }))).toBe('Made 0.42% per trade after costs.');
    expect(verdictText(anOddsSample({ mean: 0.001 }))).toBe('Neither made nor lost money after costs.');
    expect(sampleText(anOddsSample())).toBe('412 entries on 58 days.');
    expect(sampleText({ entries: 1, days: 1 })).toBe('1 entry on 1 day.');
  });

  test('judges neither a small sample nor none', () => {
    expect(verdictText(anOddsSample({ isTooFew: true, mean: 9 }))).toBe('Too few to say.');
    expect(verdictText(anOddsSample({ entries: 0, mean: null }))).toBe('No trades to judge.');
  });
});

describe('luck', () => {
  const won = { mean: 0.8, low: 0.3, high: 1.3 };
  const of = (part: Parameters<typeof anOddsSample>[0], heldOut = anOddsSample(won)) =>
    anOddsResult({ all: anOddsSample(part), heldOut });

  test('is possible if the interval contains zero', () => {
    expect(luckText(of({ mean: 0.3, low: -0.4, high: 1 }), null)).toBe(
      'This may be luck: the 95% interval is −0.4% to +1.0%.',
    );
  });

  test('is possible if the best of that number of variants shows the same', () => {
    const luck = { variants: 7, median: 0.5, high: 0.9 };
    expect(luckText(of(won), luck)).toContain('the best of 7 variants shows up to +0.90%');
    expect(luckText(of(won), { ...luck, high: 0.7 })).toStartWith('Luck alone rarely shows this');
    expect(luckText(of(won), { ...luck, variants: 1 })).toStartWith('Luck alone rarely shows this');
  });

  test('is possible if the last third lost, and is not ruled out if it is too small', () => {
    expect(luckText(of(won, anOddsSample({ mean: -0.3 })), null)).toBe(
      'This may be luck: the last third, kept apart, lost 0.30%.',
    );
    const small = anOddsSample({ entries: 9, days: 4, mean: 2, isTooFew: true });
    expect(luckText(of(won, small), null)).toContain('has only 9 entries on 4 days.');
  });

  test('shows a narrow interval with two decimals', () => {
    expect(luckText(of({ mean: -4, low: -4.03, high: -3.98 }), null)).toContain('−4.03% to −3.98%');
  });

  test('is unlikely for a clear loss, and for a gain that the last third repeats', () => {
    expect(luckText(of({}), null)).toBe('Luck alone rarely shows this: the 95% interval is −1.5% to −0.9%.');
    expect(luckText(of(won), null)).toContain('and the last third, kept apart, made 0.80%.');
  });

  test('cannot be judged in a small sample', () => {
    expect(luckText(of({ isTooFew: true }), null)).toContain('at least 30 entries on 10 days');
    expect(luckText(of({ entries: 0, mean: null }), null)).toBeNull();
  });

  test('counts variants from the second one on', () => {
    expect(variantsText({ variants: 1, median: 0, high: 0.2 })).toBeNull();
    expect(variantsText({ variants: 4, median: 0.1, high: 0.4 })).toContain('You have tried 4 variants');
  });
});

test('names costs, exits and times as on the page', () => {
  expect(costsText(DEFAULT_ODDS_SETTINGS)).toBe(
    '0.1% brokerage (at least $10) on each side of $5,000, and 1 price step of spread',
  );
  expect(exitText({ kind: 'stopTarget', stop: 2, target: 4 })).toBe(
    'sold at −2% or +4%, otherwise at the close',
  );
  expect([545, 600, 971].map(minuteText)).toEqual(['09:05', '10:00', '16:11']);
});

test('counts what is left out, and the minutes without prices', () => {
  expect(missingTexts(anOddsResult())).toEqual([
    'The conditions on your watchlist were left out.',
    '12 entries left out: no trade followed on that day.',
    '1 entry left out: prices are missing between buying and selling.',
    'Prices are missing for 34 minutes on 1 of 3 days.',
  ]);
});
