import type { Formula, TimeframeBar } from '#market/indicators/types.ts';
import { describe, expect, test } from 'bun:test';
import { formulaOf, isComputable } from '#market/indicators/formulas/index.ts';
import { calcForStocks, FAMILIES, type StockCalc } from '#support/bars.ts';
import recorded from '../../../fixtures/formulaValues.json';
import fc from 'fast-check';
import { choicesOf } from '#sources/quotes/tradingview/columns.ts';

/** mulberry32: a number from 0 to below 1 per call, the same sequence for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Bars of a random walk, each with its intermediate states. Five bars make a session; between the 50th and the 70th
 * nothing moves and nothing is traded.
 */
function livedBars(seed: number, count: number): TimeframeBar[][] {
  const random = numbers(seed);
  let last = 300;
  return Array.from({ length: count }, (_, index) => {
    const isStill = index >= 50 && index < 70;
    const from = last;
    let high = from;
    let low = from;
    let volume = 0;
    return Array.from({ length: 1 + Math.floor(random() * 3) }, (): TimeframeBar => {
      if (!isStill) {
        last = Math.max(1, last + Math.round((random() - 0.5) * 12));
        volume += Math.floor(random() * 50_000);
      }
      high = Math.max(high, last);
      low = Math.min(low, last);
      const day = Math.floor(index / 5);
      return { day, open: from / 200, high: high / 200, low: low / 200, close: last / 200, volume };
    });
  });
}

/** The results were recorded after these numbers of bars. */
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

/** Twelve digits, because the order of a sum decides the last ones. */
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

describe('running bars', () => {
  /** A bar with its intermediate states; the last one is final. */
  type Lived = readonly [TimeframeBar, ...TimeframeBar[]];

  const price = fc.integer({ min: 1, max: 400 }).map((steps) => steps / 200);
  const figures = fc.record({
    open: price,
    close: price,
    above: fc.integer({ min: 0, max: 20 }),
    below: fc.double({ min: 0.8, max: 1, noNaN: true }),
    volume: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
  });

  const barOf = (day: number) =>
    figures.map(({ open, close, above, below, volume }): TimeframeBar => {
      const high = Math.max(open, close) + above / 200;
      return { day, open, high, low: Math.min(open, close) * below, close, volume };
    });

  const lives = fc
    .integer({ min: 1, max: 90 })
    .chain((count) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, index) =>
          // Five bars per session, so that values with a session reset are tested.
          fc.array(barOf(Math.floor(index / 5)), { minLength: 1, maxLength: 4 }),
        ),
      ),
    )
    .map((all) => all as unknown as Lived[]);

  const lived = (calc: StockCalc, life: Lived): void => {
    for (const [index, bar] of life.entries()) calc.update(bar, index > 0);
  };

  /** Every computation once, at its shortest and its default length. */
  const formulas = new Map(
    Object.values(FAMILIES)
      .filter(isComputable)
      .flatMap((family) => {
        const all = choicesOf(family).map(({ params }) => params);
        return [{}, ...all.slice(0, 400)].flatMap((params) => formulaOf(family, params) ?? []);
      })
      .filter(({ id }) => !/:(1[0-9]{2}|[2-9][0-9]{2}|60|75|89)$/.test(id))
      .map((formula) => [formula.id, formula]),
  );

  const ruleOf = (id: string): string => id.split(':')[0] ?? id;

  /** The number of results of each rule’s computations. */
  const outputs = new Map<string, number>();
  for (const formula of Object.values(FAMILIES).map((family) => formulaOf(family, {}))) {
    if (!formula) continue;
    const rule = ruleOf(formula.id);
    outputs.set(rule, Math.max(outputs.get(rule) ?? 0, formula.output + 1));
  }

  const perStock = (formula: Formula) => calcForStocks(formula, outputs.get(ruleOf(formula.id)) ?? 1);

  describe('a replaced running bar ends with the value of its last state', () => {
    test('covers every family', () => expect(formulas.size).toBeGreaterThan(60));
    for (const [id, formula] of formulas) {
      test(id, () => {
        const make = perStock(formula);
        fc.assert(
          fc.property(lives, (bars) => {
            const incremental = make();
            const batch = make();
            for (const life of bars) {
              lived(incremental, life);
              batch.update(life.at(-1) ?? life[0], false);
              expect(incremental.results()).toEqual(batch.results());
            }
          }),
          { numRuns: 15 },
        );
      });
    }
  });

  test('results exist only once there are enough bars, and always then', () => {
    for (const formula of formulas.values()) {
      const { id } = formula;
      const calc = perStock(formula)();
      const bar = (index: number): TimeframeBar => ({
        day: index,
        open: 1 + index / 100,
        high: 1.2 + index / 50 + (index % 3) / 10,
        low: 0.9 + index / 100,
        close: 1 + index / 70 + (index % 2) / 10,
        volume: 100 + index,
      });
      for (let index = 0; index < 180; index += 1) calc.update(bar(index), false);
      expect({ id, out: calc.results().includes(null) }).toEqual({ id, out: false });
    }
  });
});
