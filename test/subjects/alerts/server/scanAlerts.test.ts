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
    const stage = createScanAlertFixture({ scans: [over50] });
    stage.tick(trade('BHP', 51), trade('CBA', 40), trade('RIO', 40));
    stage.add();
    stage.tick(trade('BHP', 52));
    stage.tick(trade('CBA', 50.5));
    stage.tick(trade('RIO', 49));
    expect(stage.symbols()).toEqual(['CBA']);
    const [message] = stage.messages();
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
    expect(stage.told.map(({ trigger }) => trigger.symbol)).toEqual(['CBA']);
  });

  test('on leaving fires for stocks that were in, with the failed condition', () => {
    const stage = createScanAlertFixture({ scans: [over50] });
    stage.tick(trade('BHP', 51), trade('CBA', 40));
    stage.add({ event: 'leaves' });
    stage.tick(trade('BHP', 51), trade('CBA', 40));
    stage.tick(trade('BHP', 49), trade('CBA', 51));
    stage.tick(trade('CBA', 39));
    expect(stage.symbols()).toEqual(['BHP', 'CBA']);
    expect(stage.messages()[0]?.message).toMatchObject({
      lines: ['Left Breakouts · 11:00 Sydney', 'No: last 49.00 above 50.00', 'By hand'],
    });
  });

  test('fires each time a crossing in the scan occurs', () => {
    const crossing = aScan(allOf(is(LAST, 'crosses_above', 50), is(field('volume'), '>', 10)));
    const stage = createScanAlertFixture({ scans: [crossing] });
    stage.add({ cooldownMinutes: 1 });
    stage.tick(trade('BHP', 49, { volume: 100 }));
    stage.tick(trade('BHP', 51, { volume: 110 }));
    stage.tick(trade('BHP', 52, { volume: 120 }));
    expect(stage.symbols()).toEqual(['BHP']);
    stage.clock.advance(60_000);
    stage.tick(trade('BHP', 49, { volume: 130 }));
    stage.tick(trade('BHP', 51, { volume: 140 }));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
    expect(stage.triggers()[1]?.seen[0]?.left).toEqual({ text: 'Last', value: 51, before: 49 });
  });

  test('does not fire on a split or a jump of the market’s time', () => {
    const stage = createScanAlertFixture({ scans: [over50] });
    stage.add();
    stage.tick(trade('BHP', 40), trade('CBA', 40));
    const { session } = { session: stage.market().date() };
    stage.engine.jump();
    stage.tick(trade('CBA', 51));
    expect(stage.symbols()).toEqual([]);
    stage.clock.advance(24 * 3_600_000);
    expect(stage.market().date()).not.toBe(session);
    // One for five: four times the price is not a rise.
    stage.tick(trade('BHP', 200, { close: 200 }));
    expect(stage.symbols()).toEqual([]);
  });

  test('starts again after an edit of its scan, which fires nothing itself', () => {
    const stage = createScanAlertFixture({ scans: [over50] });
    const { id } = stage.add();
    stage.tick(trade('BHP', 40), trade('CBA', 20));
    stage.scans[0] = aScan(allOf(is(LAST, '>', 30)));
    stage.change(id, {});
    stage.tick(trade('BHP', 41));
    expect(stage.symbols()).toEqual([]);
    stage.tick(trade('CBA', 31));
    expect(stage.symbols()).toEqual(['CBA']);
    stage.scans.length = 0;
    stage.change(id, {});
    expect([stage.engine.counts().alerts, stage.engine.inScan(id)]).toEqual([0, null]);
  });
});

describe('the limits of a scan alert', () => {
  test('combine messages above the maximum per minute into one; the busiest stocks have their own', () => {
    const stage = createScanAlertFixture({ scans: [over50] });
    stage.add({ minuteMaximum: 2 });
    const all = codes(6);
    stage.tick(...all.map((code) => trade(code, 40)));
    stage.tick(...all.slice(0, 4).map((code, index) => trade(code, 51, { value: (index + 1) * 1000 })));
    stage.tick(...all.slice(4).map((code) => trade(code, 51)));
    expect(stage.messages().map(({ message }) => 'title' in message && message.title)).toEqual([
      'S03 51.00',
      'S02 51.00',
    ]);
    stage.clock.advance(60_000);
    stage.tick();
    expect(stage.messages()).toHaveLength(3);
    expect(stage.messages()[2]?.message).toMatchObject({
      title: '4 more stocks entered',
      lines: ['Entered Breakouts · 11:00 Sydney', 'S01, S00, S04 and S05', 'By hand'],
    });
    expect(stage.symbols()).toEqual(['S03', 'S02', ['S01', 'S00', 'S04', 'S05']]);
  });

  test('list triggers while snoozed without sending, and omit muted stocks', () => {
    const stage = createScanAlertFixture({ scans: [over50] });
    const { id } = stage.add({ snoozedUntil: Number.MAX_SAFE_INTEGER });
    stage.engine.muted(id, ['CBA']);
    stage.tick(trade('BHP', 40), trade('CBA', 40));
    stage.tick(trade('BHP', 51), trade('CBA', 51));
    expect(stage.triggers()).toMatchObject([{ symbol: 'BHP', silent: true }]);
    expect(stage.messages()).toEqual([]);
  });
});

/** A fixture with an alert that has stored BHP and CBA as outside. */
function started(change: Parameters<ScanAlertFixture['add']>[0] = {}): ScanAlertFixture {
  const stage = createScanAlertFixture({ scans: [over50] });
  stage.add(change);
  stage.tick(trade('BHP', 40), trade('CBA', 40));
  stage.tick();
  stage.tick();
  expect(stage.states()).toHaveLength(1);
  return stage;
}

describe('after a kill', () => {
  test('the cooldown, the daily count and muted stocks are kept', () => {
    const stage = started({ cooldownMinutes: 10, dayMaximum: 2 });
    stage.tick(trade('BHP', 51));
    stage.tick(trade('BHP', 40));
    stage.tick();
    stage.tick();
    stage.kill();
    stage.tick(trade('BHP', 52));
    expect(stage.symbols()).toEqual(['BHP']);
    stage.tick(trade('BHP', 40));
    stage.clock.advance(10 * 60_000);
    stage.tick(trade('BHP', 53));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
    stage.tick(trade('BHP', 40));
    stage.clock.advance(10 * 60_000);
    stage.kill();
    stage.tick(trade('BHP', 54));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
    stage.clock.advance(24 * 3_600_000);
    stage.tick(trade('BHP', 40.5));
    stage.tick(trade('BHP', 55));
    expect(stage.symbols()).toHaveLength(3);
  });

  test('a clock set back neither shortens a cooldown nor keeps it forever', () => {
    const stage = started({ cooldownMinutes: 10, dayMaximum: 20 });
    stage.tick(trade('BHP', 51));
    stage.tick(trade('BHP', 40));
    stage.clock.set(stage.clock.now() - 3_600_000);
    stage.tick(trade('BHP', 52));
    expect(stage.symbols()).toEqual(['BHP']);
    stage.kill();
    stage.tick(trade('BHP', 40));
    stage.clock.advance(10 * 60_000);
    stage.tick(trade('BHP', 53));
    expect(stage.symbols()).toEqual(['BHP', 'BHP']);
  });
});

test('a replay stores no state for the next run', () => {
  const source = { replay: {} as never, name: 'replay-x' };
  const stage = createScanAlertFixture({ scans: [over50], source });
  stage.add();
  stage.tick(trade('BHP', 40));
  stage.tick();
  stage.tick();
  expect(stage.states()).toEqual([]);
});

test('a kill at any moment neither loses nor repeats a trigger', () => {
  for (let killAt = 0; killAt < 12; killAt += 1) {
    const stage = createScanAlertFixture({ scans: [over50] });
    stage.add({ minuteMaximum: 2, cooldownMinutes: 390 });
    const all = Array.from({ length: 8 }, (_, index) => `S0${index}`);
    stage.tick(...all.map((code) => trade(code, 40)));
    stage.tick();
    stage.tick();
    for (let step = 0; step < 12; step += 1) {
      const code = all[step];
      stage.tick(...(code ? [trade(code, 51)] : []));
      if (step === killAt) stage.kill();
    }
    stage.clock.advance(60_000);
    stage.tick();
    stage.tick();
    expect(stage.symbols().flat().toSorted()).toEqual(all);
    const written = stage.messages().map(({ message }) => ('lines' in message ? message : null));
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
  const stage = createScanAlertFixture({ scans });
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
