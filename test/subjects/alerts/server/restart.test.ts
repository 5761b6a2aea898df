import { describe, expect, test } from 'bun:test';
import type { NewMessage } from '#platform/outbox/message.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import { createAlertFixture } from '#support/alertFixture.ts';

const bhp = (last: number) => ({ code: 'BHP', status: 'Open' as const, last });
const above50 = allOf(is(LAST, '>', 50));
const crosses50 = allOf(is(LAST, 'crosses_above', 50));

describe('after a kill', () => {
  test('a fired alert does not fire again, and an unevaluated one fires', () => {
    const stage = createAlertFixture();
    stage.add({ logic: above50, persistent: true });
    stage.add({ logic: above50 });
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(2);
    const { id } = stage.add({ logic: above50 });
    stage.kill();
    stage.clock.advance(120_000);
    stage.tick(bhp(52));
    expect(stage.fired.slice(2).map(({ alertId }) => alertId)).toEqual([id]);
    expect(stage.rows.messages()).toHaveLength(3);
  });

  test('a price that only touches the crossing level needs no write and is remembered', () => {
    const stage = createAlertFixture();
    stage.add({ logic: crosses50 });
    stage.tick(bhp(49));
    stage.tick();
    const written = stage.rows.states()[0]?.state;
    stage.tick(bhp(50));
    stage.clock.advance(5000);
    stage.tick();
    expect(stage.rows.states()[0]?.state).toEqual(written ?? '');
    stage.kill();
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(1);
  });

  test('the state of another source or of changed conditions is dropped', () => {
    const stage = createAlertFixture();
    const { id } = stage.add({ logic: above50, persistent: true });
    stage.add({ logic: above50, persistent: true });
    stage.tick(bhp(51));
    stage.db.$client.run(`UPDATE alert_states SET source = 'other' WHERE alert_id = ${id}`);
    stage.db.$client.run('UPDATE alerts SET logic = ? WHERE id = 2', [
      JSON.stringify(allOf(is(LAST, '>', 1))),
    ]);
    stage.clock.advance(60_000);
    stage.kill();
    stage.tick(bhp(52));
    expect(stage.fired.slice(2)).toHaveLength(2);
  });

  test('unreadable state or conditions affect only their own alert', () => {
    const stage = createAlertFixture();
    for (let index = 0; index < 4; index += 1) stage.add({ logic: above50, persistent: true });
    stage.tick(bhp(51));
    const spoil = (id: number, state: Uint8Array) =>
      stage.db.$client.run('UPDATE alert_states SET state = ? WHERE alert_id = ?', [state, id]);
    spoil(1, new Uint8Array(3));
    spoil(2, new Uint8Array(400).fill(255));
    stage.db.$client.run("UPDATE alerts SET logic = '{' WHERE id = 3");
    stage.clock.advance(60_000);
    stage.kill();
    stage.tick(bhp(52));
    expect(stage.fired.slice(4).map(({ alertId }) => alertId)).toEqual([1, 2]);
    expect(stage.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { properties: { alert: 3 } },
    ]);
  });

  test('a normal stop keeps the last values', () => {
    const stage = createAlertFixture();
    stage.add({ logic: crosses50 });
    stage.tick(bhp(49));
    stage.tick(bhp(49.9));
    stage.engine.flush();
    stage.kill();
    stage.tick(bhp(51));
    expect(stage.fired[0]?.seen[0]?.left.before).toBe(49.9);
  });

  test('binary state of an earlier version is read', () => {
    const stage = createAlertFixture();
    stage.add({ logic: crosses50 });
    stage.tick(bhp(49));
    stage.engine.flush();
    const [firingState, hash, evaluatedAt] = JSON.parse(stage.rows.states()[0]?.state ?? '[]');
    const days = [20_261_118, 49.9, Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    const floats = Float64Array.of(hash, evaluatedAt, Number.NaN, ...days, 49.9, 50);
    const bytes = Buffer.concat([
      Uint8Array.of(1, firingState, 1, 0, 0, 0, 0, 0),
      new Uint8Array(floats.buffer),
    ]);
    stage.db.$client.run('UPDATE alert_states SET state = ?', [bytes]);
    stage.kill();
    stage.tick(bhp(51));
    expect(stage.fired[0]?.seen[0]?.left.before).toBe(49.9);
  });
});

describe('a disk that refuses writes', () => {
  test('leaves alerts unfired until it accepts the write, with the values of the original time', () => {
    const stage = createAlertFixture();
    const { id } = stage.add({ logic: above50, persistent: true });
    stage.refuseWrites(true);
    stage.tick(bhp(51));
    stage.tick(bhp(49));
    stage.tick(bhp(48));
    expect(stage.fired).toEqual([]);
    expect(stage.woken()).toBe(0);
    expect(stage.alert(id)?.lastTriggeredAt).toBeNull();
    expect(stage.engine.evaluation(id)?.notEvaluated).toContain('is being saved');
    expect(
      stage.lines.filter(({ message }) => message.startsWith('Could not save alert triggers')),
    ).toHaveLength(1);
    stage.refuseWrites(false);
    stage.tick(bhp(47));
    expect(stage.fired).toHaveLength(1);
    expect(stage.fired[0]?.seen[0]?.left.value).toBe(51);
    expect(stage.rows.messages()).toHaveLength(1);
    expect(stage.woken()).toBe(1);
    expect(stage.engine.counts()).toMatchObject({ waiting: 0 });
  });

  test('and is full rolls everything back', () => {
    const stage = createAlertFixture();
    for (let index = 0; index < 300; index += 1) stage.add({ logic: above50 });
    const pages = stage.db.$client.query<{ page_count: number }, []>('PRAGMA page_count').get();
    stage.db.$client.run(`PRAGMA max_page_count = ${pages?.page_count}`);
    stage.tick(bhp(51));
    expect(stage.fired).toEqual([]);
    expect(stage.rows.triggers()).toEqual([]);
    expect(stage.rows.messages()).toEqual([]);
    stage.db.$client.run('PRAGMA max_page_count = 1073741823');
    stage.tick();
    expect(stage.fired).toHaveLength(300);
    expect(stage.rows.messages()).toHaveLength(300);
  });

  test('before a kill lets an alert fire after the restart if it still holds', () => {
    const stage = createAlertFixture();
    stage.add({ logic: above50 });
    stage.refuseWrites(true);
    stage.tick(bhp(51));
    stage.refuseWrites(false);
    stage.kill();
    stage.tick(bhp(52));
    expect(stage.fired).toHaveLength(1);
  });
});

test('a message that fails does not block the others', () => {
  const refusal = new Error('no such chat');
  const added: NewMessage[] = [];
  const stage = createAlertFixture({
    given: {
      outbox: {
        add: (messages) => {
          if (messages.some(({ triggerId }) => triggerId === null)) return [];
          if (messages.some((one) => 'note' in one && String(one.note['title']).startsWith('BAD')))
            throw refusal;
          added.push(...messages);
          return [];
        },
        wake: () => {},
      },
    },
  });
  stage.add({ logic: above50 });
  stage.add({ logic: above50, symbol: 'BAD' });
  stage.add({ logic: above50 });
  stage.tick(bhp(51), { ...bhp(51), code: 'BAD' });
  expect(stage.fired.map(({ alertId }) => alertId)).toEqual([1, 3]);
  expect(added).toHaveLength(2);
  expect(stage.alert(2)?.active).toBe(true);
});
