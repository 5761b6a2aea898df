import { describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { alerts } from '#src/tables/alertSchema.ts';
import { facts } from '#platform/db/schema.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import { type AlertFixture, createAlertFixture } from '#support/alertFixture.ts';

const bhp = (last: number) => ({ code: 'BHP', status: 'Open' as const, last });
const above50 = allOf(is(LAST, '>', 50));
/** More than the limit up to which alert rows are written immediately. */
const MANY = 500;

/** Every second alert is persistent; all fire in the same tick. */
function gap(): AlertFixture {
  const fixture = createAlertFixture();
  for (let index = 0; index < MANY; index += 1) fixture.add({ logic: above50, persistent: index % 2 === 1 });
  fixture.tick(bhp(49));
  fixture.tick();
  fixture.tick(bhp(51));
  expect(fixture.fired).toHaveLength(MANY);
  return fixture;
}

const rows = ({ db }: AlertFixture) => db.select().from(alerts).orderBy(alerts.id).all();
const notes = ({ db }: AlertFixture) =>
  db.select().from(facts).where(eq(facts.key, 'alerts_unsettled')).all();
const hasFired = ({ lastTriggeredAt }: { lastTriggeredAt: number | null }) => lastTriggeredAt !== null;

function expectSettled(fixture: AlertFixture): void {
  const at = new Map(fixture.fired.map(({ alertId, triggeredAt }) => [alertId, triggeredAt]));
  for (const row of rows(fixture)) {
    expect(row).toMatchObject({ active: row.persistent, lastTriggeredAt: at.get(row.id) ?? -1 });
  }
  expect(notes(fixture)).toEqual([]);
}

function settle(fixture: AlertFixture): void {
  for (let tick = 0; tick < 4; tick += 1) fixture.tick();
}

describe('a mass firing', () => {
  test('stores triggers and messages first, and updates the alerts in the next ticks', () => {
    const fixture = gap();
    expect(fixture.rows.triggers()).toHaveLength(MANY);
    expect(fixture.rows.messages()).toHaveLength(MANY);
    expect(rows(fixture).some(hasFired)).toBe(false);
    fixture.tick();
    const first = rows(fixture).filter(hasFired).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(MANY);
    settle(fixture);
    expectSettled(fixture);
    expect(fixture.engine.counts()).toMatchObject({ alerts: MANY / 2, waiting: 0 });
  });

  test('updates the alerts of a user before they are read', () => {
    const fixture = gap();
    fixture.engine.applyDeferred([2]);
    expect(rows(fixture).some(hasFired)).toBe(false);
    fixture.engine.applyDeferred([1, 2]);
    expectSettled(fixture);
  });

  test('keeps what a user changed or deleted in between', () => {
    const fixture = gap();
    const [once, persistent, deleted] = rows(fixture);
    fixture.change(once?.id ?? 0, { active: false, name: 'changed', version: 2 });
    fixture.change(persistent?.id ?? 0, { name: 'changed', version: 2 });
    fixture.engine.remove(deleted?.id ?? 0);
    fixture.db
      .delete(alerts)
      .where(eq(alerts.id, deleted?.id ?? 0))
      .run();
    settle(fixture);
    const after = rows(fixture);
    expect(after).toHaveLength(MANY - 1);
    expect(after.slice(0, 2)).toMatchObject([
      { name: 'changed', active: false, lastTriggeredAt: null },
      { name: 'changed', active: true, lastTriggeredAt: null },
    ]);
    expect(after.slice(2).every(hasFired)).toBe(true);
  });

  test('waits for a failing disk and logs it once', () => {
    const fixture = gap();
    fixture.refuseWrites(true);
    for (let tick = 0; tick < 3; tick += 1) fixture.tick();
    expect(() => fixture.engine.applyDeferred([1])).toThrow();
    expect(
      fixture.lines.filter(({ message }) => message.startsWith('Could not write the updates')),
    ).toHaveLength(1);
    fixture.refuseWrites(false);
    settle(fixture);
    expectSettled(fixture);
  });

  test('keeps the time of a later trigger', () => {
    const fixture = gap();
    const last = rows(fixture).at(-1)?.id ?? 0;
    fixture.refuseWrites(true);
    fixture.tick(bhp(49));
    fixture.clock.advance(60_000);
    fixture.refuseWrites(false);
    const others = rows(fixture).filter(({ id, persistent }) => persistent && id !== last);
    for (const { id } of others) fixture.engine.remove(id);
    fixture.tick(bhp(51));
    expect(fixture.fired).toHaveLength(MANY + 1);
    const { triggeredAt } = fixture.fired.at(-1) ?? { triggeredAt: 0 };
    expect(fixture.alert(last)?.lastTriggeredAt).toBe(triggeredAt);
    settle(fixture);
    expect(fixture.alert(last)?.lastTriggeredAt).toBe(triggeredAt);
  });
});

test.each([0, 1, 4])('killed after %d ticks fires nothing twice and updates all alerts', (ticks) => {
  const fixture = gap();
  for (let tick = 0; tick < ticks; tick += 1) fixture.tick();
  for (let kill = 0; kill < 3; kill += 1) {
    fixture.kill();
    expect(fixture.engine.counts().alerts).toBe(MANY / 2);
  }
  fixture.tick(bhp(52));
  settle(fixture);
  expect(fixture.fired).toHaveLength(MANY);
  expectSettled(fixture);
});
