import fc from 'fast-check';
import { type Condition, isGroup, type Logic, OPERATORS } from '#subjects/conditions/rules/condition.ts';
import type { Operand } from '#subjects/conditions/rules/operand.ts';
import { readerOf } from '#subjects/conditions/rules/evaluator.ts';
import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import { expect, test } from 'bun:test';
import { allOf, anyOf, field, is, RSI } from '#support/conditions.ts';
import { createAlertFixture } from '#support/alertFixture.ts';

/* The alert rules written again as plainly as possible, for comparison with the engine. */

type NaiveAlert = {
  id: number;
  logic: Logic;
  persistent: boolean;
  snoozedUntil: number;
  active: boolean;
  /** Result of the last evaluation; null before the first. */
  held: boolean | null;
  /** It fired silently, and its only message is still to be sent. */
  owesMessage: boolean;
  firedAt: number;
  before: Map<Condition, [number, number]>;
};

type NaiveFiring = { id: number; silent: boolean; deactivated: boolean };

const naiveAlert = (id: number, logic: Logic, persistent: boolean): NaiveAlert => ({
  id,
  logic,
  persistent,
  snoozedUntil: 0,
  active: true,
  held: null,
  owesMessage: false,
  firedAt: Number.NEGATIVE_INFINITY,
  before: new Map(),
});

const TRADED = ['last', 'volume', 'change_percent'];
const OPENING = ['match_price', 'match_vol', 'surplus_flipped'];
const AUCTION = [...OPENING, 'gap_percent', 'sensitive_today'];

const IN_HALT = 'sensitive_today';

const conditionsOf = (logic: Logic): Condition[] =>
  logic.conditions.flatMap((member) => (isGroup(member) ? member.conditions : [member]));

const reads = (logic: Logic, keys: readonly string[]): boolean =>
  conditionsOf(logic).some(({ lhs, rhs }) =>
    [lhs, rhs].some((side) => side.type === 'field' && keys.includes(side.key)),
  );

const isHalted = ({ status }: Stock): boolean => status === 'Halted' || status === 'Suspended';

function valueOf(operand: Operand, stock: Stock, hasPrice: boolean): number | null {
  const key = operand.type === 'field' ? operand.key : '';
  if (operand.type !== 'number' && isHalted(stock) && key !== IN_HALT) return null;
  if (!hasPrice && TRADED.includes(key)) return null;
  if (hasPrice && stock.status === 'Open' && OPENING.includes(key)) return null;
  return readerOf(operand)(stock, 0);
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
const above = (a: number, b: number): boolean => a > b && !same(a, b);

function plain(op: Condition['op'], a: number, b: number): boolean {
  if (op === '==') return same(a, b);
  if (op === '!=') return !same(a, b);
  if (op === '>') return above(a, b);
  if (op === '>=') return above(a, b) || same(a, b);
  return op === '<' ? above(b, a) : above(b, a) || same(a, b);
}

/** True, false, or null if a value is not known. */
function holds(alert: NaiveAlert, condition: Condition, stock: Stock, hasPrice: boolean): boolean | null {
  const { lhs, op, rhs } = condition;
  if (rhs.type === 'text') {
    if (isHalted(stock)) return null;
    return stock.sector === null ? null : rhs.values.includes(stock.sector) === (op === '==');
  }
  const a = valueOf(lhs, stock, hasPrice);
  const b = valueOf(rhs, stock, hasPrice);
  if (a === null || b === null) return null;
  if (op !== 'crosses_above' && op !== 'crosses_below') return plain(op, a, b);
  const before = alert.before.get(condition);
  if (!before) return false;
  return op === 'crosses_above'
    ? above(a, b) && !above(before[0], before[1])
    : above(b, a) && !above(before[1], before[0]);
}

const all = (list: readonly (boolean | null)[]): boolean | null =>
  list.includes(false) ? false : list.includes(null) ? null : true;
const any = (list: readonly (boolean | null)[]): boolean | null =>
  list.includes(true) ? true : list.includes(null) ? null : false;

/** Evaluates one alert on a changed stock. @param now epoch ms @returns the firing, or null */
function naiveTick(alert: NaiveAlert, stock: Stock, now: number): NaiveFiring | null {
  if (!alert.active) return null;
  const hasPrice = !isHalted(stock) && stock.status !== 'Pre Open' && stock.last !== null;
  if (!hasPrice && !reads(alert.logic, isHalted(stock) ? [IN_HALT] : AUCTION)) return null;
  const test = (condition: Condition) => holds(alert, condition, stock, hasPrice);
  const found = all(
    alert.logic.conditions.map((member) =>
      isGroup(member) ? any(member.conditions.map(test)) : test(member),
    ),
  );
  if (found === null) return null;
  for (const condition of conditionsOf(alert.logic)) {
    const a = valueOf(condition.lhs, stock, hasPrice);
    const b = valueOf(condition.rhs, stock, hasPrice);
    if (a !== null && b !== null) alert.before.set(condition, [a, b]);
  }
  return firing(alert, found, now);
}

function firing(alert: NaiveAlert, found: boolean, now: number): NaiveFiring | null {
  const began = found && alert.held !== true;
  alert.held = found;
  if (!found) alert.owesMessage = false;
  const isSnoozed = alert.snoozedUntil > now;
  const isCooling = now - alert.firedAt < 60_000;
  const fire = (silent: boolean, deactivated: boolean): NaiveFiring => {
    alert.firedAt = now;
    alert.active = !deactivated;
    return { id: alert.id, silent, deactivated };
  };
  if (alert.persistent) return began && !isCooling ? fire(isSnoozed, false) : null;
  if (!isSnoozed) return began || alert.owesMessage ? fire(false, true) : null;
  if (!began) return null;
  alert.owesMessage = true;
  return isCooling ? null : fire(true, false);
}

const left = fc.constantFrom(field('last'), field('volume'), field('match_price'), field('close'), RSI);
const number = fc.integer({ min: 1, max: 4 }).map((value) => ({ type: 'number' as const, value }));
const announced = fc.constantFrom(0, 1).map((value) => is(field('sensitive_today'), '==', value));
const comparison = fc
  .tuple(left, fc.constantFrom(...OPERATORS), fc.oneof({ weight: 3, arbitrary: number }, left))
  .map(([lhs, op, rhs]) => is(lhs, op, rhs));
const sector: fc.Arbitrary<Condition> = fc
  .tuple(
    fc.constantFrom('==' as const, '!=' as const),
    fc.subarray(['Energy', 'Materials'], { minLength: 1 }),
  )
  .map(([op, values]) => is(field('sector'), op, { type: 'text', values }));
const condition = fc.oneof(
  { weight: 6, arbitrary: comparison },
  { weight: 1, arbitrary: sector },
  { weight: 3, arbitrary: announced },
);
const member = fc.oneof(
  { weight: 3, arbitrary: condition },
  {
    weight: 1,
    arbitrary: fc.array(condition, { minLength: 1, maxLength: 3 }).map((list) => anyOf(...list)),
  },
);
const alertInput = fc.record({
  symbol: fc.constantFrom('AAA', 'BBB'),
  persistent: fc.boolean(),
  logic: fc.array(member, { minLength: 1, maxLength: 3 }).map((list) => allOf(...list)),
});

const maybe = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const quote: fc.Arbitrary<StockUpdate> = fc.record({
  code: fc.constantFrom('AAA', 'BBB'),
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant('Open' as const) },
    { weight: 1, arbitrary: fc.constantFrom('Pre Open' as const, 'Halted' as const, 'CSPA' as const) },
  ),
  last: maybe,
  volume: maybe,
  match_price: maybe,
  close: fc.integer({ min: 1, max: 4 }),
  sector: fc.constantFrom('Energy', 'Materials', null),
  sensitiveAnnouncements: fc.constantFrom(0, 0, 2),
  indicators: maybe.map((now) => ({ '60': { rsi_14: { now } } })),
});
const step = fc.oneof(
  { weight: 12, arbitrary: quote.map((update) => ({ kind: 'quote' as const, update })) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 70 }).map((seconds) => ({ kind: 'wait' as const, seconds })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('snooze' as const), alert: fc.nat(), seconds: fc.nat(90) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), alert: fc.nat() }) },
);

test('the engine agrees with the plain rules over random prices, halts, waits, restarts and snoozes', () => {
  let firings = 0;
  const rules = fc.property(
    fc.array(alertInput, { minLength: 1, maxLength: 5 }),
    fc.array(step, { minLength: 10, maxLength: 60 }),
    (inputs, steps) => {
      const fixture = createAlertFixture();
      const alerts: NaiveAlert[] = inputs.map((input) => {
        const { id, logic, persistent } = fixture.add(input);
        return naiveAlert(id, logic, persistent);
      });
      const check = (symbols: Iterable<string>) => {
        const expected = [...symbols].flatMap((symbol) => {
          const stock = fixture.market.get(symbol);
          return alerts.flatMap((alert, index) => {
            if (!stock || inputs[index]?.symbol !== symbol) return [];
            return naiveTick(alert, stock, fixture.clock.now()) ?? [];
          });
        });
        const fired = fixture.fired
          .splice(0)
          .map(({ alertId, silent, deactivated }) => ({ id: alertId, silent, deactivated }));
        firings += fired.length;
        const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
        expect(fired.sort(byId)).toEqual(expected.sort(byId));
      };
      /** Symbols that the engine checks although they did not change. */
      const unseen = new Set(['AAA', 'BBB']);
      const tick = (...updates: StockUpdate[]) => {
        const changes = fixture.tick(...updates);
        check(new Set([...unseen, ...Object.keys(changes?.upsert ?? {})]));
        unseen.clear();
      };
      for (const one of steps) {
        if (one.kind === 'quote') tick(one.update);
        if (one.kind === 'wait') fixture.clock.advance(one.seconds * 1000);
        if (one.kind === 'restart') {
          tick();
          tick();
          fixture.kill();
          unseen.add('AAA').add('BBB');
        }
        if (one.kind === 'rename' || one.kind === 'snooze') {
          const alert = alerts[one.alert % alerts.length];
          if (!alert?.active) continue;
          const until = one.kind === 'snooze' ? fixture.clock.now() + one.seconds * 1000 : null;
          fixture.change(alert.id, until === null ? { name: 'new', version: 9 } : { snoozedUntil: until });
          if (until !== null) alert.snoozedUntil = until;
          unseen.add(inputs[one.alert % alerts.length]?.symbol ?? '');
        }
      }
      for (const alert of alerts) expect(fixture.alert(alert.id)?.active).toBe(alert.active);
      expect(fixture.rows.messages()).toHaveLength(
        fixture.rows.triggers().filter((one) => !one.silent).length,
      );
      fixture.db.$client.close();
    },
  );
  // A fixed seed keeps the number of firings stable; then some random runs.
  fc.assert(rules, { numRuns: 60, seed: 5 });
  expect(firings).toBeGreaterThan(60);
  fc.assert(rules, { numRuns: 20 });
});
