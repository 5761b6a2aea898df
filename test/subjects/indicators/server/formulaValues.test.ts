import { describe, expect, test } from 'bun:test';
import { formulaOf } from '../../../../src/market/indicators/formulas/index.ts';
import type { Formula, TimeframeBar } from '../../../../src/market/indicators/types.ts';
import { calcForStocks, FAMILIES, type StockCalc } from '../../../support/bars.ts';
import { livedBars } from '../../../support/livedBars.ts';
import recorded from '../../../fixtures/formulaValues.json';

/** After this many bars the results were recorded. */
const RECORDED_AT = [30, 75, 140];

function resultsAt(calc: StockCalc, output: number, lives: readonly TimeframeBar[][]): (number | null)[] {
  return lives.flatMap((life, index) => {
    for (const [state, bar] of life.entries()) calc.update(bar, state > 0);
    return RECORDED_AT.includes(index + 1) ? [calc.results()[output] ?? null] : [];
  });
}

const formulas = Object.entries(FAMILIES).flatMap(([slug, family]): [string, Formula][] => {
  const formula = formulaOf(family, {});
  return formula ? [[slug, formula]] : [];
});

/** Twelve digits: the order in which a sum is added decides the last ones. */
const digits = (values: readonly (number | null)[]): (number | null)[] =>
  values.map((value) => (value === null ? null : Number(value.toPrecision(12))));

describe('values equal the recorded ones', () => {
  const expected: Readonly<Record<string, (number | null)[]>> = recorded;

  test('of every family', () =>
    expect(formulas.map(([slug]) => slug).sort()).toEqual(Object.keys(expected).sort()));
  for (const [slug, formula] of formulas) {
    test(slug, () => {
      const calc = calcForStocks(formula, formula.output + 1)();
      expect(digits(resultsAt(calc, formula.output, livedBars(1, 140)))).toEqual(
        digits(expected[slug] ?? []),
      );
    });
  }
});

describe('stocks that share a computation keep their own numbers', () => {
  for (const [slug, formula] of formulas) {
    test(slug, () => {
      const create = calcForStocks(formula, formula.output + 1);
      const calcs = [create(), create(), create()];
      const lives = calcs.map((_, index) => livedBars(index + 1, 140));
      const together = calcs.map((): (number | null)[] => []);
      for (let bar = 0; bar < 140; bar += 1) {
        for (const [stock, calc] of calcs.entries()) {
          for (const [state, one] of (lives[stock]?.[bar] ?? []).entries()) calc.update(one, state > 0);
          if (RECORDED_AT.includes(bar + 1)) together[stock]?.push(calc.results()[formula.output] ?? null);
        }
      }
      const alone = lives.map((life) =>
        resultsAt(calcForStocks(formula, formula.output + 1)(), formula.output, life),
      );
      expect(together).toEqual(alone);
    });
  }
});
