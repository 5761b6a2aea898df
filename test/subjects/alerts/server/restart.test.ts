import { describe, expect, test } from 'bun:test';
import type { NewMessage } from '#platform/outbox/message.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import { createAlertFixture } from '#support/alertFixture.ts';

const bhp = (last: number) => ({ code: 'BHP', status: 'Open' as const, last });
const above50 = allOf(is(LAST, '>', 50));
const crosses50 = allOf(is(LAST, 'crosses_above', 50));

describe('after a kill', () => {
  test('a fired alert does not fire again, and an unevaluated one fires', () => {
    const fixture = createAlertFixture();
    fixture.add({ logic: above50, persistent: true });
    fixture.add({ logic: above50 });
    fixture.tick(bhp(51));
    expect(fixture.fired).toHaveLength(2);
    const { id } = fixture.add({ logic: above50 });
    fixture.kill();
    fixture.clock.advance(120_000);
    fixture.tick(bhp(52));
    expect(fixture.fired.slice(2).map(({ alertId }) => alertId)).toEqual([id]);
    expect(fixture.rows.messages()).toHaveLength(3);
  });

  test('a price that only touches the crossing level needs no write and is remembered', () => {
    const fixture = createAlertFixture();
    fixture.add({ logic: crosses50 });
    fixture.tick(bhp(49));
    fixture.tick();
    const written = fixture.rows.states()[0]?.state;
    fixture.tick(bhp(50));
    fixture.clock.advance(5000);
    fixture.tick();
    expect(fixture.rows.states()[0]?.state).toEqual(written ?? '');
    fixture.kill();
    fixture.tick(bhp(51));
    expect(fixture.fired).toHaveLength(1);
  });

  test('the state of another source or of changed conditions is dropped', () => {
    const fixture = createAlertFixture();
    const { id } = fixture.add({ logic: above50, persistent: true });
    fixture.add({ logic: above50, persistent: true });
    fixture.tick(bhp(51));
    fixture.db.$client.run(`UPDATE alert_states SET source = 'other' WHERE alert_id = ${id}`);
    fixture.db.$client.run('UPDATE alerts SET logic = ? WHERE id = 2', [
      JSON.stringify(allOf(is(LAST, '>', 1))),
    ]);
    fixture.clock.advance(60_000);
    fixture.kill();
    fixture.tick(bhp(52));
    expect(fixture.fired.slice(2)).toHaveLength(2);
  });

  test('unreadable state or conditions affect only their own alert', () => {
    const fixture = createAlertFixture();
    for (let index = 0; index < 4; index += 1) fixture.add({ logic: above50, persistent: true });
    fixture.tick(bhp(51));
    const spoil = (id: number, state: Uint8Array) =>
      fixture.db.$client.run('UPDATE alert_states SET state = ? WHERE alert_id = ?', [state, id]);
    spoil(1, new Uint8Array(3));
    spoil(2, new Uint8Array(400).fill(255));
    fixture.db.$client.run("UPDATE alerts SET logic = '{' WHERE id = 3");
    fixture.clock.advance(60_000);
    fixture.kill();
    fixture.tick(bhp(52));
    expect(fixture.fired.slice(4).map(({ alertId }) => alertId)).toEqual([1, 2]);
    expect(fixture.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { properties: { alert: 3 } },
    ]);
  });

  test('a normal stop keeps the last values', () => {
    const fixture = createAlertFixture();
    fixture.add({ logic: crosses50 });
    fixture.tick(bhp(49));
    fixture.tick(bhp(49.9));
    fixture.engine.flush();
    fixture.kill();
    fixture.tick(bhp(51));
    expect(fixture.fired[0]?.seen[0]?.left.before).toBe(49.9);
  });
});

describe('a disk that refuses writes', () => {
  test('leaves alerts unfired until it accepts the write, with the values of the original time', () => {
    const fixture = createAlertFixture();
    const { id } = fixture.add({ logic: above50, persistent: true });
    fixture.refuseWrites(true);
    fixture.tick(bhp(51));
    fixture.tick(bhp(49));
    fixture.tick(bhp(48));
    expect(fixture.fired).toEqual([]);
    expect(fixture.woken()).toBe(0);
    expect(fixture.alert(id)?.lastTriggeredAt).toBeNull();
    expect(fixture.engine.evaluation(id)?.notEvaluated).toContain('is being saved');
    expect(
      fixture.lines.filter(({ message }) => message.startsWith('Could not save alert triggers')),
    ).toHaveLength(1);
    fixture.refuseWrites(false);
    fixture.tick(bhp(47));
    expect(fixture.fired).toHaveLength(1);
    expect(fixture.fired[0]?.seen[0]?.left.value).toBe(51);
    expect(fixture.rows.messages()).toHaveLength(1);
    expect(fixture.woken()).toBe(1);
    expect(fixture.engine.counts()).toMatchObject({ waiting: 0 });
  });

  test('and is full rolls everything back', () => {
    const fixture = createAlertFixture();
    for (let index = 0; index < 300; index += 1) fixture.add({ logic: above50 });
    const pages = fixture.db.$client.query<{ page_count: number }, []>('PRAGMA page_count').get();
    fixture.db.$client.run(`PRAGMA max_page_count = ${pages?.page_count}`);
    fixture.tick(bhp(51));
    expect(fixture.fired).toEqual([]);
    expect(fixture.rows.triggers()).toEqual([]);
    expect(fixture.rows.messages()).toEqual([]);
    fixture.db.$client.run('PRAGMA max_page_count = 1073741823');
    fixture.tick();
    expect(fixture.fired).toHaveLength(300);
    expect(fixture.rows.messages()).toHaveLength(300);
  });

  test('before a kill lets an alert fire after the restart if it still holds', () => {
    const fixture = createAlertFixture();
    fixture.add({ logic: above50 });
    fixture.refuseWrites(true);
    fixture.tick(bhp(51));
    fixture.refuseWrites(false);
    fixture.kill();
    fixture.tick(bhp(52));
    expect(fixture.fired).toHaveLength(1);
  });
});

test('a message that fails does not block the others', () => {
  const refusal = new Error('no such chat');
  const added: NewMessage[] = [];
  const fixture = createAlertFixture({
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
  fixture.add({ logic: above50 });
  fixture.add({ logic: above50, symbol: 'BAD' });
  fixture.add({ logic: above50 });
  fixture.tick(bhp(51), { ...bhp(51), code: 'BAD' });
  expect(fixture.fired.map(({ alertId }) => alertId)).toEqual([1, 3]);
  expect(added).toHaveLength(2);
  expect(fixture.alert(2)?.active).toBe(true);
});
