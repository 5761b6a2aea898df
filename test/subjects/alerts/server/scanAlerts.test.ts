import { describe, expect, test } from 'bun:test';
import type { StockUpdate } from '#market/rules/stock.ts';
import { allOf, anyOf, field, is, LAST } from '#support/conditions.ts';
import { aScan, createScanAlertFixture, type ScanAlertFixture } from '#support/scanAlertFixture.ts';
import { createEvaluator } from '#subjects/conditions/rules/evaluator.ts';
import type { Condition, Logic, Operator } from '#subjects/conditions/rules/condition.ts';
import { createRandom } from '#lib/random.ts';

const over50 = aScan(allOf(is(LAST, '>', 50)));
const trade = (code: string, last: number, more: Partial<StockUpdate> = {}): StockUpdate => ({
  code,
  status: 'Open',
  last,
  ...more,
});
const codes = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `S${String(from + index).padStart(2, '0')}`);

describe('an alert on a whole scan', () => {
  test('fires for each stock that enters, with its code and reason, not for those already in', () => {
    const fixture = createScanAlertFixture({ scans: [over50] });
    fixture.tick(trade('BHP', 51), trade('CBA', 40), trade('RIO', 40));
    fixture.add();
    fixture.tick(trade('BHP', 52));
    fixture.tick(trade('CBA', 50.5));
    fixture.tick(trade('RIO', 49));
    expect(fixture.symbols()).toEqual(['CBA']);
    const [message] = fixture.messages();
    expect(message?.message).toMatchObject({
      title: 'CBA 50.50',
      lines: ['Entered Breakouts · 11:00 Sydney', 'last 50.50 above 50.00', 'By hand'],
      buttons: [
        { action: 'scanmute', label: 'Not this stock today' },
        { action: 'scansnooze' },
        { action: 'scanoff' },
        { action: 'scanwhy' },
      ],
    });
    expect(fixture.fired.map(({ trigger }) => trigger.symbol)).toEqual(['CBA']);
  });

  test('on leaving fires for stocks that were in, with the failed condition', () => {
    const fixture = createScanAlertFixture({ scans: [over50] });
    fixture.tick(trade('BHP', 51), trade('CBA', 40));
    fixture.add({ event: 'leaves' });
    fixture.tick(trade('BHP', 51), trade('CBA', 40));
    fixture.tick(trade('BHP', 49), trade('CBA', 51));
    fixture.tick(trade('CBA', 39));
    expect(fixture.symbols()).toEqual(['BHP', 'CBA']);
    expect(fixture.messages()[0]?.message).toMatchObject({
      lines: ['Left Breakouts · 11:00 Sydney', 'No: last 49.00 above 50.00', 'By hand'],
    });
  });

  test('fires each time a crossing in the scan occurs', () => {
    const crossing = aScan(allOf(is(LAST, 'crosses_above', 50), is(field('volume'), '>', 10)));
    const fixture = createScanAlertFixture({ scans: [crossing] });
    fixture.add({ cooldownMinutes: 1 });
    fixture.tick(trade('BHP', 49, { volume: 100 }));
    fixture.tick(trade('BHP', 51, { volume: 110 }));
    fixture.tick(trade('BHP', 52, { volume: 120 }));
    expect(fixture.symbols()).toEqual(['BHP']);
    fixture.clock.advance(60_000);
    fixture.tick(trade('BHP', 49, { volume: 130 }));
    fixture.tick(trade('BHP', 51, { volume: 140 }));
    expect(fixture.symbols()).toEqual(['BHP', 'BHP']);
    expect(fixture.triggers()[1]?.seen[0]?.left).toEqual({ text: 'Last', value: 51, before: 49 });
  });

  test('does not fire on a split or a jump of the market’s time', () => {
    const fixture = createScanAlertFixture({ scans: [over50] });
    fixture.add();
    fixture.tick(trade('BHP', 40), trade('CBA', 40));
    const { session } = { session: fixture.market().date() };
    fixture.engine.jump();
    fixture.tick(trade('CBA', 51));
    expect(fixture.symbols()).toEqual([]);
    fixture.clock.advance(24 * 3_600_000);
    expect(fixture.market().date()).not.toBe(session);
    // One for five: four times the price is not a rise.
    fixture.tick(trade('BHP', 200, { close: 200 }));
    expect(fixture.symbols()).toEqual([]);
  });

  test('starts again after an edit of its scan, which fires nothing itself', () => {
    const fixture = createScanAlertFixture({ scans: [over50] });
    const { id } = fixture.add();
    fixture.tick(trade('BHP', 40), trade('CBA', 20));
    fixture.scans[0] = aScan(allOf(is(LAST, '>', 30)));
    fixture.change(id, {});
    fixture.tick(trade('BHP', 41));
    expect(fixture.symbols()).toEqual([]);
    fixture.tick(trade('CBA', 31));
    expect(fixture.symbols()).toEqual(['CBA']);
    fixture.scans.length = 0;
    fixture.change(id, {});
    expect([fixture.engine.counts().alerts, fixture.engine.inScan(id)]).toEqual([0, null]);
  });
});

describe('the limits of a scan alert', () => {
  test('combine messages above the maximum per minute into one; the busiest stocks have their own', () => {
    const fixture = createScanAlertFixture({ scans: [over50] });
    fixture.add({ minuteMaximum: 2 });
    const all = codes(6);
    fixture.tick(...all.map((code) => trade(code, 40)));
    fixture.tick(...all.slice(0, 4).map((code, index) => trade(code, 51, { value: (index + 1) * 1000 })));
    fixture.tick(...all.slice(4).map((code) => trade(code, 51)));
    expect(fixture.messages().map(({ message }) => 'title' in message && message.title)).toEqual([
      'S03 51.00',
      'S02 51.00',
    ]);
    fixture.clock.advance(60_000);
    fixture.tick();
    expect(fixture.messages()).toHaveLength(3);
    expect(fixture.messages()[2]?.message).toMatchObject({
      title: '4 more stocks entered',
      lines: ['Entered Breakouts · 11:00 Sydney', 'S01, S00, S04 and S05', 'By hand'],
    });
    expect(fixture.symbols()).toEqual(['S03', 'S02', ['S01', 'S00', 'S04', 'S05']]);
  });

  test('list triggers while snoozed without sending, and omit muted stocks', () => {
    const fixture = createScanAlertFixture({ scans: [over50] });
    const { id } = fixture.add({ snoozedUntil: Number.MAX_SAFE_INTEGER });
    fixture.engine.muted(id, ['CBA']);
    fixture.tick(trade('BHP', 40), trade('CBA', 40));
    fixture.tick(trade('BHP', 51), trade('CBA', 51));
    expect(fixture.triggers()).toMatchObject([{ symbol: 'BHP', silent: true }]);
    expect(fixture.messages()).toEqual([]);
  });
});

/** A fixture with an alert that has stored BHP and CBA as outside. */
function started(change: Parameters<ScanAlertFixture['add']>[0] = {}): ScanAlertFixture {
  const fixture = createScanAlertFixture({ scans: [over50] });
  fixture.add(change);
  fixture.tick(trade('BHP', 40), trade('CBA', 40));
  fixture.tick();
  fixture.tick();
  expect(fixture.states()).toHaveLength(1);
  return fixture;
}

describe('after a kill', () => {
  test('the cooldown, the daily count and muted stocks are kept', () => {
    const fixture = started({ cooldownMinutes: 10, dayMaximum: 2 });
    fixture.tick(trade('BHP', 51));
    fixture.tick(trade('BHP', 40));
    fixture.tick();
    fixture.tick();
    fixture.kill();
    fixture.tick(trade('BHP', 52));
    expect(fixture.symbols()).toEqual(['BHP']);
    fixture.tick(trade('BHP', 40));
    fixture.clock.advance(10 * 60_000);
    fixture.tick(trade('BHP', 53));
    expect(fixture.symbols()).toEqual(['BHP', 'BHP']);
    fixture.tick(trade('BHP', 40));
    fixture.clock.advance(10 * 60_000);
    fixture.kill();
    fixture.tick(trade('BHP', 54));
    expect(fixture.symbols()).toEqual(['BHP', 'BHP']);
    fixture.clock.advance(24 * 3_600_000);
    fixture.tick(trade('BHP', 40.5));
    fixture.tick(trade('BHP', 55));
    expect(fixture.symbols()).toHaveLength(3);
  });

  test('a clock set back neither shortens a cooldown nor keeps it forever', () => {
    const fixture = started({ cooldownMinutes: 10, dayMaximum: 20 });
    fixture.tick(trade('BHP', 51));
    fixture.tick(trade('BHP', 40));
    fixture.clock.set(fixture.clock.now() - 3_600_000);
    fixture.tick(trade('BHP', 52));
    expect(fixture.symbols()).toEqual(['BHP']);
    fixture.kill();
    fixture.tick(trade('BHP', 40));
    fixture.clock.advance(10 * 60_000);
    fixture.tick(trade('BHP', 53));
    expect(fixture.symbols()).toEqual(['BHP', 'BHP']);
  });
});

test('a replay stores no state for the next run', () => {
  const source = { replay: {} as never, name: 'replay-x' };
  const fixture = createScanAlertFixture({ scans: [over50], source });
  fixture.add();
  fixture.tick(trade('BHP', 40));
  fixture.tick();
  fixture.tick();
  expect(fixture.states()).toEqual([]);
});

test('a kill at any moment neither loses nor repeats a trigger', () => {
  for (let killAt = 0; killAt < 12; killAt += 1) {
    const fixture = createScanAlertFixture({ scans: [over50] });
    fixture.add({ minuteMaximum: 2, cooldownMinutes: 390 });
    const all = Array.from({ length: 8 }, (_, index) => `S0${index}`);
    fixture.tick(...all.map((code) => trade(code, 40)));
    fixture.tick();
    fixture.tick();
    for (let step = 0; step < 12; step += 1) {
      const code = all[step];
      fixture.tick(...(code ? [trade(code, 51)] : []));
      if (step === killAt) fixture.kill();
    }
    fixture.clock.advance(60_000);
    fixture.tick();
    fixture.tick();
    expect(fixture.symbols().flat().toSorted()).toEqual(all);
    const written = fixture.messages().map(({ message }) => ('lines' in message ? message : null));
    const singles = written.filter((message) => message?.title.endsWith('51.00')).length;
    const summed = written
      .filter((message) => message?.title.includes('more stock'))
      .reduce((sum, message) => sum + Number.parseInt(message?.title ?? '0', 10), 0);
    expect([killAt, singles + summed]).toEqual([killAt, all.length]);
  }
});

const OPERATORS: readonly Operator[] = ['>', '>=', '==', '!=', '<=', '<'];

/** Conditions over few different values, so that the same number occurs again and again. */
function someLogic(random: () => number): Logic {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const condition = (): Condition =>
    random() < 0.25
      ? is(LAST, pick(OPERATORS), field(pick(['open', 'close'])))
      : is(field(pick(['last', 'volume', 'open'])), pick(OPERATORS), Math.floor(random() * 6));
  return allOf(condition(), ...(random() < 0.5 ? [anyOf(condition(), condition())] : [condition()]));
}

test('equals evaluating every scan for every stock at every tick', () => {
  const random = createRandom(7);
  const scans = Array.from({ length: 40 }, (_, index) =>
    aScan(someLogic(random), { id: index + 1, name: `Scan ${index}` }),
  );
  const fixture = createScanAlertFixture({ scans });
  for (const { id, name } of scans) {
    for (const event of ['enters', 'leaves'] as const) {
      fixture.add({
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
  const check = (isFirst: boolean) => {
    for (const code of codes) {
      const stock = fixture.market().get(code);
      if (!stock) continue;
      for (const [id, { evaluate }] of naive) {
        const key = `${id} ${code}`;
        const isIn = evaluate(stock, 0);
        if (!isFirst && inside.get(key) !== isIn) expected.push(`${key} ${isIn ? 'enters' : 'leaves'}`);
        inside.set(key, isIn);
      }
    }
  };
  fixture.tick(...codes.map(update));
  check(true);
  for (let step = 0; step < 60; step += 1) {
    fixture.clock.advance(60_000);
    fixture.tick(...codes.filter(() => random() < 0.5).map(update));
    check(false);
  }
  for (let wait = 0; wait < 40; wait += 1) fixture.tick();
  const found = fixture
    .triggers()
    .map(({ scanAlertId, symbol, event }) => `${Math.ceil(scanAlertId / 2)} ${symbol} ${event}`);
  expect(expected.length).toBeGreaterThan(1000);
  expect(found.toSorted()).toEqual(expected.toSorted());
});
