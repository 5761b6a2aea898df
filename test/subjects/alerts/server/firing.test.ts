import { describe, expect, test } from 'bun:test';
import { RUNAWAY_REASON } from '#subjects/alerts/rules/firingState.ts';
import { allOf, anyOf, field, is, LAST, RSI } from '#support/conditions.ts';
import { createAlertFixture } from '#support/alertFixture.ts';

const bhp = (last: number, more = {}) => ({ code: 'BHP', status: 'Open' as const, last, ...more });

describe('a persistent alert', () => {
  const logic = allOf(is(LAST, '>', 50));

  test.each([false, true])('fires again a minute after a clock was set back; killed then: %p', (isKilled) => {
    const fixture = createAlertFixture();
    fixture.add({ logic, persistent: true });
    fixture.tick(bhp(51));
    fixture.tick(bhp(49));
    fixture.tick();
    fixture.clock.set(fixture.clock.now() - 1_800_000);
    if (isKilled) fixture.kill();
    fixture.tick(bhp(51));
    expect(fixture.fired).toHaveLength(1);
    fixture.clock.advance(60_000);
    fixture.tick(bhp(49));
    fixture.tick(bhp(51));
    expect(fixture.fired).toHaveLength(2);
  });

  test('that fires 15 times within three minutes is stopped, and its last message shows that', () => {
    const fixture = createAlertFixture();
    const { id } = fixture.add({ logic, persistent: true });
    for (let turn = 0; turn < 20; turn += 1) {
      fixture.tick(bhp(51 + turn / 100));
      if (fixture.alert(id)?.active) fixture.change(id, { logic: allOf(is(LAST, '>', 40 + turn / 10)) });
    }
    expect(fixture.fired).toHaveLength(15);
    expect(fixture.fired.map(({ deactivated }) => deactivated).indexOf(true)).toBe(14);
    expect(fixture.alert(id)).toMatchObject({ active: false, stoppedReason: RUNAWAY_REASON });
    const reasons = fixture.rows
      .messages()
      .map(({ message }) => 'note' in message && message.note['stoppedReason']);
    expect(reasons).toEqual([...Array.from({ length: 14 }, () => null), RUNAWAY_REASON]);
    expect(fixture.rows.states()).toEqual([]);
  });
});

test('switching off or deleting an alert takes effect immediately, even with an unwritten trigger', () => {
  const fixture = createAlertFixture();
  const off = fixture.add({ logic: allOf(is(LAST, '>', 50)), persistent: true });
  const gone = fixture.add({ logic: allOf(is(LAST, '>', 50)), persistent: true });
  fixture.refuseWrites(true);
  fixture.tick(bhp(51));
  fixture.refuseWrites(false);
  fixture.db.$client.run(`DELETE FROM alerts WHERE id = ${gone.id}`);
  fixture.engine.remove(gone.id);
  fixture.change(off.id, { active: false });
  fixture.tick(bhp(52));
  expect(fixture.fired).toEqual([]);
  expect(fixture.engine.counts()).toMatchObject({ alerts: 0, symbols: 0, waiting: 0 });
});

test('a fault of one stock does not block other alerts, and is logged once', () => {
  const fixture = createAlertFixture({
    given: {
      market: {
        get(code) {
          if (code === 'BAD') throw new Error('It can’t be read.');
          return fixture.market.get(code);
        },
        date: () => fixture.market.date(),
        statedQuoteTime: (code) => fixture.market.statedQuoteTime(code),
      },
    },
  });
  fixture.add({ symbol: 'BAD', logic: allOf(is(LAST, '>', 50)) });
  fixture.add({ logic: allOf(is(LAST, '>', 50)) });
  fixture.tick({ ...bhp(51), code: 'BAD' }, bhp(51));
  fixture.add({ logic: allOf(is(LAST, '>', 51)) });
  fixture.tick({ ...bhp(52), code: 'BAD' }, bhp(52));
  expect(fixture.fired.map(({ alertId }) => alertId)).toEqual([2, 3]);
  expect(fixture.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { properties: { symbol: 'BAD' } },
  ]);
});

const quoted = (more = {}) => ({ code: 'BHP', status: 'Open' as const, last: 51, ...more });

describe('the last evaluation', () => {
  test('shows every condition with its values, and changes nothing', () => {
    const fixture = createAlertFixture();
    const { id } = fixture.add({
      logic: allOf(
        is(LAST, 'crosses_above', 51.5),
        anyOf(is(LAST, '<', 10), is(field('volume'), '>=', 7)),
        is(field('sector'), '==', { type: 'text', values: ['Energy', 'Materials'] }),
      ),
    });
    fixture.tick(quoted({ volume: 7, sector: 'Energy' }));
    const at = fixture.clock.now();
    fixture.market.apply([{ code: 'BHP', last: 52 }]);
    fixture.clock.advance(500);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(fixture.engine.evaluation(id)).toEqual({
        at,
        notEvaluated: null,
        holds: true,
        guard: null,
        conditions: [
          {
            left: { text: 'Last', value: 52, before: 51 },
            op: 'crosses_above',
            right: { text: '51.5', value: 51.5, before: 51.5 },
            holds: true,
          },
          { left: { text: 'Last', value: 52 }, op: '<', right: { text: '10', value: 10 }, holds: false },
          { left: { text: 'Volume', value: 7 }, op: '>=', right: { text: '7', value: 7 }, holds: true },
          {
            left: { text: 'Sector', value: null },
            op: '==',
            right: { text: 'Energy or Materials', value: null },
            holds: true,
          },
        ],
      });
    }
    expect(fixture.fired).toEqual([]);
    fixture.tick();
    expect(fixture.fired).toHaveLength(1);
  });

  test('gives the reason if there is none', () => {
    const fixture = createAlertFixture();
    const reason = (id: number) => fixture.engine.evaluation(id)?.notEvaluated;
    const price = fixture.add({ logic: allOf(is(LAST, '>', 60)) });
    const rsi = fixture.add({ logic: allOf(is(LAST, '>', 50), is(RSI, '>', 70)) });
    const sector = fixture.add({
      logic: allOf(is(field('sector'), '!=', { type: 'text', values: ['Energy'] })),
    });
    expect(reason(price.id)).toBe('There are no prices for BHP');
    expect(fixture.engine.evaluation(price.id)).toMatchObject({
      at: null,
      holds: null,
      conditions: [{ left: { text: 'Last', value: null }, holds: null }],
    });
    fixture.tick(quoted());
    expect(reason(price.id)).toBeNull();
    expect(reason(rsi.id)).toMatch(/^RSI.*14.* is not known yet$/);
    expect(fixture.engine.evaluation(rsi.id)?.conditions.map(({ holds }) => holds)).toEqual([true, null]);
    expect(reason(sector.id)).toBe('The sector of BHP is unknown');
    fixture.tick(quoted({ status: 'Suspended' }));
    expect(reason(rsi.id)).toBe('BHP is suspended');
    expect(fixture.engine.evaluation(99)).toBeNull();
  });

  test('does not use old prices: a new alert waits for the source or a new price', () => {
    const fixture = createAlertFixture();
    fixture.tick(quoted(), { code: 'CBA', status: 'Open', last: 150 });
    fixture.source.setHealth({ healthy: false, problem: 'The bridge is silent.' });
    const onBhp = fixture.add({ logic: allOf(is(LAST, '>', 50)) });
    const onCba = fixture.add({ symbol: 'CBA', logic: allOf(is(LAST, '>', 100)) });
    fixture.tick();
    expect(fixture.fired).toEqual([]);
    expect(fixture.engine.evaluation(onBhp.id)).toMatchObject({
      holds: null,
      notEvaluated: 'No prices are arriving',
    });
    fixture.tick(quoted({ last: 52 }));
    expect(fixture.fired.map(({ alertId }) => alertId)).toEqual([onBhp.id]);
    fixture.source.setHealth({ healthy: true, problem: null });
    fixture.tick();
    expect(fixture.fired.map(({ alertId }) => alertId)).toEqual([onBhp.id, onCba.id]);
  });
});

test('storage rows of removed alerts are reused', () => {
  const fixture = createAlertFixture();
  for (let turn = 0; turn < 300; turn += 1) {
    const { id } = fixture.add({ logic: allOf(is(LAST, '>', 60), is(RSI, '<', turn)) });
    fixture.change(id, { active: false });
  }
  const kept = fixture.add({ logic: allOf(is(LAST, '>', 50), is(field('volume'), '<', 9)) });
  fixture.tick(quoted({ volume: 8 }));
  expect(fixture.fired.map(({ alertId }) => alertId)).toEqual([kept.id]);
  expect(fixture.engine.counts()).toMatchObject({ alerts: 0, symbols: 0 });
});
