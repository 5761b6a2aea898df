import { describe, expect, test } from 'bun:test';
import { RUNAWAY_REASON } from '#subjects/alerts/rules/firingState.ts';
import { allOf, anyOf, field, is, LAST, RSI } from '#support/conditions.ts';
import { createAlertFixture } from '#support/alertFixture.ts';

const bhp = (last: number, more = {}) => ({ code: 'BHP', status: 'Open' as const, last, ...more });

describe('a persistent alert', () => {
  const logic = allOf(is(LAST, '>', 50));

  test.each([false, true])('fires again a minute after a clock was set back; killed then: %p', (isKilled) => {
    const stage = createAlertFixture();
    stage.add({ logic, persistent: true });
    stage.tick(bhp(51));
    stage.tick(bhp(49));
    stage.tick();
    stage.clock.set(stage.clock.now() - 1_800_000);
    if (isKilled) stage.kill();
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(1);
    stage.clock.advance(60_000);
    stage.tick(bhp(49));
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
  });

  test('that fires 15 times within three minutes is stopped, and its last message shows that', () => {
    const stage = createAlertFixture();
    const { id } = stage.add({ logic, persistent: true });
    for (let turn = 0; turn < 20; turn += 1) {
      stage.tick(bhp(51 + turn / 100));
      if (stage.alert(id)?.active) stage.change(id, { logic: allOf(is(LAST, '>', 40 + turn / 10)) });
    }
    expect(stage.fired).toHaveLength(15);
    expect(stage.fired.map(({ deactivated }) => deactivated).indexOf(true)).toBe(14);
    expect(stage.alert(id)).toMatchObject({ active: false, stoppedReason: RUNAWAY_REASON });
    const reasons = stage.rows
      .messages()
      .map(({ message }) => 'note' in message && message.note.stoppedReason);
    expect(reasons).toEqual([...Array.from({ length: 14 }, () => null), RUNAWAY_REASON]);
    expect(stage.rows.states()).toEqual([]);
  });
});

test('switching off or deleting an alert takes effect immediately, even with an unwritten trigger', () => {
  const stage = createAlertFixture();
  const off = stage.add({ logic: allOf(is(LAST, '>', 50)), persistent: true });
  const gone = stage.add({ logic: allOf(is(LAST, '>', 50)), persistent: true });
  stage.refuseWrites(true);
  stage.tick(bhp(51));
  stage.refuseWrites(false);
  stage.db.$client.run(`DELETE FROM alerts WHERE id = ${gone.id}`);
  stage.engine.remove(gone.id);
  stage.change(off.id, { active: false });
  stage.tick(bhp(52));
  expect(stage.fired).toEqual([]);
  expect(stage.engine.counts()).toMatchObject({ alerts: 0, symbols: 0, waiting: 0 });
});

test('a fault of one stock does not block other alerts, and is logged once', () => {
  const stage = createAlertFixture({
    given: {
      market: {
        get(code) {
          if (code === 'BAD') throw new Error('It can’t be read.');
          return stage.market.get(code);
        },
        date: () => stage.market.date(),
        statedQuoteTime: (code) => stage.market.statedQuoteTime(code),
      },
    },
  });
  stage.add({ symbol: 'BAD', logic: allOf(is(LAST, '>', 50)) });
  stage.add({ logic: allOf(is(LAST, '>', 50)) });
  stage.tick({ ...bhp(51), code: 'BAD' }, bhp(51));
  stage.add({ logic: allOf(is(LAST, '>', 51)) });
  stage.tick({ ...bhp(52), code: 'BAD' }, bhp(52));
  expect(stage.fired.map(({ alertId }) => alertId)).toEqual([2, 3]);
  expect(stage.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { properties: { symbol: 'BAD' } },
  ]);
});

const quoted = (more = {}) => ({ code: 'BHP', status: 'Open' as const, last: 51, ...more });

describe('the last evaluation', () => {
  test('shows every condition with its values, and changes nothing', () => {
    const stage = createAlertFixture();
    const { id } = stage.add({
      logic: allOf(
        is(LAST, 'crosses_above', 51.5),
        anyOf(is(LAST, '<', 10), is(field('volume'), '>=', 7)),
        is(field('sector'), '==', { type: 'text', values: ['Energy', 'Materials'] }),
      ),
    });
    stage.tick(quoted({ volume: 7, sector: 'Energy' }));
    const at = stage.clock.now();
    stage.market.apply([{ code: 'BHP', last: 52 }]);
    stage.clock.advance(500);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(stage.engine.evaluation(id)).toEqual({
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
    expect(stage.fired).toEqual([]);
    stage.tick();
    expect(stage.fired).toHaveLength(1);
  });

  test('gives the reason if there is none', () => {
    const stage = createAlertFixture();
    const reason = (id: number) => stage.engine.evaluation(id)?.notEvaluated;
    const price = stage.add({ logic: allOf(is(LAST, '>', 60)) });
    const rsi = stage.add({ logic: allOf(is(LAST, '>', 50), is(RSI, '>', 70)) });
    const sector = stage.add({
      logic: allOf(is(field('sector'), '!=', { type: 'text', values: ['Energy'] })),
    });
    expect(reason(price.id)).toBe('There are no prices for BHP');
    expect(stage.engine.evaluation(price.id)).toMatchObject({
      at: null,
      holds: null,
      conditions: [{ left: { text: 'Last', value: null }, holds: null }],
    });
    stage.tick(quoted());
    expect(reason(price.id)).toBeNull();
    expect(reason(rsi.id)).toMatch(/^RSI.*14.* is not known yet$/);
    expect(stage.engine.evaluation(rsi.id)?.conditions.map(({ holds }) => holds)).toEqual([true, null]);
    expect(reason(sector.id)).toBe('The sector of BHP is unknown');
    stage.tick(quoted({ status: 'Suspended' }));
    expect(reason(rsi.id)).toBe('BHP is suspended');
    expect(stage.engine.evaluation(99)).toBeNull();
  });

  test('does not use old prices: a new alert waits for the source or a new price', () => {
    const stage = createAlertFixture();
    stage.tick(quoted(), { code: 'CBA', status: 'Open', last: 150 });
    stage.source.setHealth({ healthy: false, problem: 'The bridge is silent.' });
    const onBhp = stage.add({ logic: allOf(is(LAST, '>', 50)) });
    const onCba = stage.add({ symbol: 'CBA', logic: allOf(is(LAST, '>', 100)) });
    stage.tick();
    expect(stage.fired).toEqual([]);
    expect(stage.engine.evaluation(onBhp.id)).toMatchObject({
      holds: null,
      notEvaluated: 'No prices are arriving',
    });
    stage.tick(quoted({ last: 52 }));
    expect(stage.fired.map(({ alertId }) => alertId)).toEqual([onBhp.id]);
    stage.source.setHealth({ healthy: true, problem: null });
    stage.tick();
    expect(stage.fired.map(({ alertId }) => alertId)).toEqual([onBhp.id, onCba.id]);
  });
});

test('storage rows of removed alerts are reused', () => {
  const stage = createAlertFixture();
  for (let turn = 0; turn < 300; turn += 1) {
    const { id } = stage.add({ logic: allOf(is(LAST, '>', 60), is(RSI, '<', turn)) });
    stage.change(id, { active: false });
  }
  const kept = stage.add({ logic: allOf(is(LAST, '>', 50), is(field('volume'), '<', 9)) });
  stage.tick(quoted({ volume: 8 }));
  expect(stage.fired.map(({ alertId }) => alertId)).toEqual([kept.id]);
  expect(stage.engine.counts()).toMatchObject({ alerts: 0, symbols: 0 });
});
