import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { choicesOf } from '../../../../src/market/indicators/rules/platformColumn.ts';
import { formulaOf, isComputable } from '../../../../src/market/indicators/formulas/index.ts';
import type { Formula, TimeframeBar } from '../../../../src/market/indicators/types.ts';
import { calcForStocks, FAMILIES, type StockCalc } from '../../../support/bars.ts';

/** A bar with the states that it went through while it was running; the last is what it was in the end. */
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
        // Five bars a session, so that what restarts with a session does.
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

/** How many results the computations of each rule have. */
const outputs = new Map<string, number>();
for (const formula of Object.values(FAMILIES).map((family) => formulaOf(family, {}))) {
  if (!formula) continue;
  const rule = ruleOf(formula.id);
  outputs.set(rule, Math.max(outputs.get(rule) ?? 0, formula.output + 1));
}

const perStock = (formula: Formula) => calcForStocks(formula, outputs.get(ruleOf(formula.id)) ?? 1);

describe('a running bar that is replaced ends where its last state alone leads', () => {
  test('every family is there', () => expect(formulas.size).toBeGreaterThan(60));
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

test('results are never told before there are enough bars, and always after', () => {
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
