import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Condition, OPERATORS } from '../../../../src/subjects/conditions/rules/condition.ts';
import type { StockUpdate } from '../../../../src/market/rules/stock.ts';
import { allOf, anyOf, field, is, RSI } from '../../../support/conditions.ts';
import { createAlertStage } from '../../../support/alertStage.ts';
import { type NaiveAlert, naiveAlert, naiveTick } from '../../../support/naiveAlerts.ts';

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

describe('the engine fires as the plainly written rules do', () => {
  test('over random prices, halts, waits, restarts and snoozes', () => {
    let firings = 0;
    const rules = fc.property(
      fc.array(alertInput, { minLength: 1, maxLength: 5 }),
      fc.array(step, { minLength: 10, maxLength: 60 }),
      (inputs, steps) => {
        const stage = createAlertStage();
        const alerts: NaiveAlert[] = inputs.map((input) => {
          const { id, logic, persistent } = stage.add(input);
          return naiveAlert(id, logic, persistent);
        });
        const look = (symbols: Iterable<string>) => {
          const expected = [...symbols].flatMap((symbol) => {
            const stock = stage.market.get(symbol);
            return alerts.flatMap((alert, index) => {
              if (!stock || inputs[index]?.symbol !== symbol) return [];
              return naiveTick(alert, stock, stage.clock.now()) ?? [];
            });
          });
          const fired = stage.fired
            .splice(0)
            .map(({ alertId, silent, deactivated }) => ({ id: alertId, silent, deactivated }));
          firings += fired.length;
          const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
          expect(fired.sort(byId)).toEqual(expected.sort(byId));
        };
        /** Symbols that the engine looks at although they do not change. */
        const unseen = new Set(['AAA', 'BBB']);
        const tick = (...updates: StockUpdate[]) => {
          const changes = stage.tick(...updates);
          look(new Set([...unseen, ...Object.keys(changes?.upsert ?? {})]));
          unseen.clear();
        };
        for (const one of steps) {
          if (one.kind === 'quote') tick(one.update);
          if (one.kind === 'wait') stage.clock.advance(one.seconds * 1000);
          if (one.kind === 'restart') {
            tick();
            tick();
            stage.kill();
            unseen.add('AAA').add('BBB');
          }
          if (one.kind === 'rename' || one.kind === 'snooze') {
            const alert = alerts[one.alert % alerts.length];
            if (!alert?.active) continue;
            const until = one.kind === 'snooze' ? stage.clock.now() + one.seconds * 1000 : null;
            stage.change(alert.id, until === null ? { name: 'new', version: 9 } : { snoozedUntil: until });
            if (until !== null) alert.snoozedUntil = until;
            unseen.add(inputs[one.alert % alerts.length]?.symbol ?? '');
          }
        }
        for (const alert of alerts) expect(stage.alert(alert.id)?.active).toBe(alert.active);
        stage.db.$client.close();
      },
    );
    // The same draws each time, so that the number of firings is no matter of chance; then some that are new.
    fc.assert(rules, { numRuns: 60, seed: 5 });
    expect(firings).toBeGreaterThan(60);
    fc.assert(rules, { numRuns: 20 });
  });
});
