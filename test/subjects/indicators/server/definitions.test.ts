import { describe, expect, test } from 'bun:test';
import { type DatedBar, eodBars, formula, runFormula } from '../../../support/bars.ts';
import {
  bandsOf,
  directionalOf,
  emaOf,
  type Line,
  macdOf,
  rsiOf,
  smaOf,
  stochasticOf,
  trueRanges,
  wilderOf,
} from '../../../support/definitions.ts';
import { recordings } from '../../../support/recordedScan.ts';

function isSound({ open, high, low, close }: DatedBar): boolean {
  return low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close);
}

const close = (own: readonly DatedBar[]): number[] => own.map((bar) => bar.close);

const cases: [slug: string, length: string | undefined, define: (own: readonly DatedBar[]) => Line][] = [
  ['sma', '20', (own) => smaOf(close(own), 20)],
  ['sma', '100', (own) => smaOf(close(own), 100)],
  ['ema', '9', (own) => emaOf(close(own), 9)],
  ['ema', '50', (own) => emaOf(close(own), 50)],
  ['rsi', '14', (own) => rsiOf(own, 14)],
  ['rsi', '7', (own) => rsiOf(own, 7)],
  ['macd-macd', undefined, (own) => macdOf(own).macd],
  ['macd-signal', undefined, (own) => macdOf(own).signal],
  ['macd-hist', undefined, (own) => macdOf(own).hist],
  ['atr', undefined, (own) => wilderOf(trueRanges(own), 14)],
  ['bb-upper', '20', (own) => bandsOf(own, 20).upper],
  ['bb-basis', '20', (own) => bandsOf(own, 20).basis],
  ['bb-lower', '50', (own) => bandsOf(own, 50).lower],
  ['stoch-k', '14_3_3', (own) => stochasticOf(own, [14, 3, 3]).k],
  ['stoch-d', '14_3_3', (own) => stochasticOf(own, [14, 3, 3]).d],
  ['stoch-k', '14_1_3', (own) => stochasticOf(own, [14, 1, 3]).k],
  ['adx', '14', (own) => directionalOf(own, 14).adx],
  ['adx-plus-di', '14', (own) => directionalOf(own, 14).plus],
  ['adx-minus-di', '9', (own) => directionalOf(own, 9).minus],
];

/** What a difference is measured against where the value itself may be 0: the size of what it is made of. */
const sizeOf = (slug: string, value: number, price: number): number => {
  if (/^(macd|bb|sma|ema|atr|p-sar|ichimoku)/.test(slug)) return Math.max(Math.abs(value), price);
  return Math.max(Math.abs(value), 1);
};

describe.each(recordings())(
  '$name: values agree with the published definitions to 1e-6',
  ({ folder, isWhole }) => {
    // Of the codes that trade on most days, two in five of the recorded ones, every third where there are many.
    const codes = [...eodBars(folder)]
      .filter(([, own]) => own.length >= 150 && own.every(isSound))
      .filter((_, index) => !isWhole || index % 3 === 0);

    test('there are prices enough', () => expect(codes.length).toBeGreaterThan(isWhole ? 100 : 20));

    for (const [slug, length, define] of cases) {
      test(`${slug} ${length ?? ''}`, () => {
        let worst = 0;
        let compared = 0;
        const early: unknown[] = [];
        for (const [code, own] of codes) {
          const ours = runFormula(formula(slug, length), own);
          const theirs = define(own);
          for (const [index, expected] of theirs.entries()) {
            const value = ours[index] ?? null;
            // The product waits for a signal to settle; a definition that can't be told yet tells nothing either way.
            if (expected === null && value !== null) early.push({ code, index, value });
            if (expected === null || value === null) continue;
            compared += 1;
            const price = own[index]?.close ?? 1;
            worst = Math.max(worst, Math.abs(value - expected) / sizeOf(slug, expected, price));
          }
        }
        expect(early).toEqual([]);
        expect(compared).toBeGreaterThan(codes.length * 80);
        expect(worst).toBeLessThan(1e-6);
      });
    }
  },
);
