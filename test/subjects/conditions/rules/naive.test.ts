import { expect, test } from 'bun:test';
import { createEvaluator } from '../../../../src/subjects/conditions/rules/evaluator.ts';
import type { Condition, Logic, Operator } from '../../../../src/subjects/conditions/rules/condition.ts';
import { createRandom } from '../../../../src/lib/random.ts';
import { allOf, anyOf, field, is, LAST } from '../../../support/conditions.ts';
import { aScan, createScanAlertStage } from '../../../support/scanAlertStage.ts';

const OPERATORS: readonly Operator[] = ['>', '>=', '==', '!=', '<=', '<'];

/** Conditions over few different values, so that the same number is met again and again. */
function someLogic(random: () => number): Logic {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const condition = (): Condition =>
    random() < 0.25
      ? is(LAST, pick(OPERATORS), field(pick(['open', 'close'])))
      : is(field(pick(['last', 'volume', 'open'])), pick(OPERATORS), Math.floor(random() * 6));
  return allOf(condition(), ...(random() < 0.5 ? [anyOf(condition(), condition())] : [condition()]));
}

test('finds the same as evaluating every scan for every stock at every tick', () => {
  const random = createRandom(7);
  const scans = Array.from({ length: 40 }, (_, index) =>
    aScan(someLogic(random), { id: index + 1, name: `Scan ${index}` }),
  );
  const stage = createScanAlertStage({ scans });
  for (const { id, name } of scans) {
    for (const event of ['enters', 'leaves'] as const) {
      stage.add({
        scan: { type: 'scan', id, name },
        event,
        cooldownMinutes: 1,
        dayMaximum: 1_000_000,
        minuteMaximum: 1_000_000,
      });
    }
  }
  const codes = Array.from({ length: 12 }, (_, index) => `S${10 + index}`);
  const value = () => Math.floor(random() * 6);
  const update = (code: string) => ({
    code,
    status: 'Open' as const,
    last: value() + 1,
    open: value() + 1,
    close: 3,
    volume: value(),
  });
  const naive = new Map(scans.map(({ id, logic }) => [id, createEvaluator(logic)]));
  const inside = new Map<string, boolean>();
  const expected: string[] = [];
  const look = (isFirst: boolean) => {
    for (const code of codes) {
      const stock = stage.market().get(code);
      if (!stock) continue;
      for (const [id, { evaluate }] of naive) {
        const key = `${id} ${code}`;
        const isIn = evaluate(stock, 0);
        if (!isFirst && inside.get(key) !== isIn) expected.push(`${key} ${isIn ? 'enters' : 'leaves'}`);
        inside.set(key, isIn);
      }
    }
  };
  stage.tick(...codes.map(update));
  look(true);
  for (let step = 0; step < 60; step += 1) {
    stage.clock.advance(60_000);
    stage.tick(...codes.filter(() => random() < 0.5).map(update));
    look(false);
  }
  for (let wait = 0; wait < 40; wait += 1) stage.tick();
  const found = stage
    .triggers()
    .map(({ scanAlertId, symbol, event }) => `${Math.ceil(scanAlertId / 2)} ${symbol} ${event}`);
  expect(expected.length).toBeGreaterThan(1000);
  expect(found.toSorted()).toEqual(expected.toSorted());
});
