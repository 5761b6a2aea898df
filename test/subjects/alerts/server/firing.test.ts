import { describe, expect, test } from 'bun:test';
import { RUNAWAY_REASON } from '../../../../src/subjects/alerts/rules/runaway.ts';
import { allOf, anyOf, field, is, LAST } from '../../../support/conditions.ts';
import { createAlertStage } from '../../../support/alertStage.ts';

const bhp = (last: number, more = {}) => ({ code: 'BHP', status: 'Open' as const, last, ...more });

describe('an alert that fires once', () => {
  test('fires when its conditions hold at its first evaluation, and is switched off by that', () => {
    const stage = createAlertStage();
    stage.tick(bhp(51));
    const { id } = stage.add({ logic: allOf(is(LAST, '>', 50)) });
    stage.tick();
    stage.tick(bhp(52));
    expect(stage.fired).toHaveLength(1);
    expect(stage.fired[0]).toMatchObject({ alertId: id, deactivated: true, silent: false, symbol: 'BHP' });
    expect(stage.alert(id)).toMatchObject({ active: false, lastTriggeredAt: stage.fired[0]?.triggeredAt });
    expect(stage.rows.messages()).toMatchObject([{ triggerId: stage.fired[0]?.id, status: 'waiting' }]);
    expect(stage.engine.evaluation(id)).toBeNull();
    expect(stage.woken()).toBe(1);
  });

  test('keeps what it saw', () => {
    const stage = createAlertStage();
    const rsi = { type: 'indicator', family: 'rsi', params: { length: 14 }, tf: '60' } as const;
    const ref = { ...rsi, key: 'rsi_14', valueKey: 'now' } as const;
    stage.add({
      logic: allOf(is(LAST, 'crosses_above', 50), is(ref, '>', 70), anyOf(is(field('volume'), '>', 9))),
    });
    const values = { indicators: { '60': { rsi_14: { now: 71.2 } } }, volume: 12 };
    stage.tick(bhp(49.5, values));
    stage.tick(bhp(50.5, { quoteTime: stage.clock.now() - 5000 }));
    const [trigger] = stage.rows.triggers();
    expect(trigger?.seen).toEqual([
      {
        left: { text: 'Last', value: 50.5, before: 49.5 },
        op: 'crosses_above',
        right: { text: '50', value: 50, before: 50 },
        holds: true,
      },
      {
        left: { text: expect.stringContaining('14'), value: 71.2 },
        op: '>',
        right: { text: '70', value: 70 },
        holds: true,
      },
      { left: { text: 'Volume', value: 12 }, op: '>', right: { text: '9', value: 9 }, holds: true },
    ]);
    expect(trigger).toMatchObject({
      quoteAt: stage.clock.now() - 6000,
      source: 'hand',
      delayMinutes: 0,
      marketAt: stage.clock.now(),
    });
  });

  test('goes to the chats of the platforms that it names', () => {
    const destinations = [
      { platform: 'telegram', chatId: '1' },
      { platform: 'discord', chatId: '2' },
      { platform: 'telegram', chatId: '3' },
    ] as const;
    const stage = createAlertStage({ destinations });
    stage.add({
      logic: allOf(is(LAST, '>', 50)),
      destinations: { telegram: true, discord: false, devices: [] },
    });
    stage.add({
      logic: allOf(is(LAST, '>', 50)),
      destinations: { telegram: false, discord: false, devices: [] },
    });
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
    expect(stage.rows.messages().map(({ chatId }) => chatId)).toEqual(['1', '3']);
  });
});

describe('a persistent alert', () => {
  const logic = allOf(is(LAST, '>', 50));

  test('fires again only after its conditions were false in between, and not within a minute', () => {
    const stage = createAlertStage();
    const { id } = stage.add({ logic, persistent: true });
    stage.tick(bhp(51));
    stage.tick(bhp(52));
    expect(stage.fired).toHaveLength(1);
    stage.tick(bhp(49));
    stage.tick(bhp(51));
    stage.clock.advance(60_000);
    stage.tick(bhp(52));
    expect(stage.fired).toHaveLength(1);
    stage.tick(bhp(49));
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
    expect(stage.alert(id)).toMatchObject({ active: true, lastTriggeredAt: stage.clock.now() });
  });

  test('is not locked by a clock that is set back', () => {
    const stage = createAlertStage();
    stage.add({ logic, persistent: true });
    stage.tick(bhp(51));
    stage.tick(bhp(49));
    stage.clock.set(stage.clock.now() - 3_600_000);
    stage.clock.advance(60_000);
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
  });

  test('that was killed before a clock was set back goes on after a minute', () => {
    const stage = createAlertStage();
    stage.add({ logic, persistent: true });
    stage.tick(bhp(51));
    stage.tick(bhp(49));
    stage.tick();
    stage.clock.set(stage.clock.now() - 1_800_000);
    stage.kill();
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(1);
    stage.clock.advance(60_000);
    stage.tick(bhp(49));
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
  });

  test('that fires 15 times within three minutes is stopped, and its last message says so', () => {
    const stage = createAlertStage();
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

describe('a snoozed alert', () => {
  const logic = allOf(is(LAST, '>', 50));

  test('fires silently and keeps its firing state', () => {
    const stage = createAlertStage();
    const { id } = stage.add({ logic, persistent: true });
    stage.change(id, { snoozedUntil: stage.clock.now() + 600_000 });
    stage.tick(bhp(51));
    expect(stage.fired).toMatchObject([{ silent: true, deactivated: false }]);
    expect(stage.rows.messages()).toEqual([]);
    expect(stage.woken()).toBe(0);
    stage.clock.advance(600_000);
    stage.tick(bhp(52));
    expect(stage.fired).toHaveLength(1);
    stage.tick(bhp(49));
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
    expect(stage.rows.messages()).toHaveLength(1);
  });

  test('that fires once stays on, and speaks when the snooze is over and its conditions still hold', () => {
    const stage = createAlertStage();
    const { id } = stage.add({ logic });
    stage.change(id, { snoozedUntil: stage.clock.now() + 600_000 });
    stage.tick(bhp(51));
    stage.tick(bhp(52));
    expect(stage.fired).toMatchObject([{ silent: true, deactivated: false }]);
    expect(stage.alert(id)?.active).toBe(true);
    stage.clock.advance(600_000);
    stage.kill();
    stage.tick(bhp(53));
    expect(stage.fired.slice(1)).toMatchObject([{ silent: false, deactivated: true }]);
    expect(stage.alert(id)?.active).toBe(false);
    expect(stage.rows.messages()).toHaveLength(1);
  });
});

describe('a change by its owner', () => {
  test('of the name, the chats or the snooze does not make it fire again', () => {
    const stage = createAlertStage();
    const { id } = stage.add({ logic: allOf(is(LAST, '>', 50)), persistent: true });
    stage.tick(bhp(51));
    stage.clock.advance(60_000);
    stage.change(id, { name: 'Gap', version: 2, snoozedUntil: null });
    stage.tick(bhp(52));
    stage.kill();
    stage.tick(bhp(53));
    expect(stage.fired).toHaveLength(1);
  });

  test('of the conditions begins afresh', () => {
    const stage = createAlertStage();
    const { id } = stage.add({ logic: allOf(is(LAST, '>', 50)), persistent: true });
    stage.tick(bhp(51));
    stage.change(id, { logic: allOf(is(LAST, '>', 50.5)), version: 2 });
    stage.tick();
    expect(stage.fired).toHaveLength(2);
  });

  test('that switches it off or deletes it ends it at once, also while a trigger waits for the disk', () => {
    const stage = createAlertStage();
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

  test('that the engine was not told of is left alone', () => {
    const stage = createAlertStage();
    stage.add({ logic: allOf(is(LAST, '>', 50)) });
    stage.add({ logic: allOf(is(LAST, '>', 50)) });
    stage.db.$client.run('DELETE FROM alerts WHERE id = 1');
    stage.tick(bhp(51));
    expect(stage.fired.map(({ alertId }) => alertId)).toEqual([2]);
    expect(stage.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

test('a fault of one stock keeps no alert on another from firing, and is logged once', () => {
  const stage = createAlertStage({
    needs: {
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
