import { describe, expect, test } from 'bun:test';
import { RUNAWAY_REASON } from '../../../../src/subjects/alerts/rules/runaway.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';
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
});

describe('a persistent alert', () => {
  const logic = allOf(is(LAST, '>', 50));

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
