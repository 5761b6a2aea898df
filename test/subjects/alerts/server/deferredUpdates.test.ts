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
  const stage = createAlertFixture();
  for (let index = 0; index < MANY; index += 1) stage.add({ logic: above50, persistent: index % 2 === 1 });
  stage.tick(bhp(49));
  stage.tick();
  stage.tick(bhp(51));
  expect(stage.fired).toHaveLength(MANY);
  return stage;
}

const rows = ({ db }: AlertFixture) => db.select().from(alerts).orderBy(alerts.id).all();
const notes = ({ db }: AlertFixture) =>
  db.select().from(facts).where(eq(facts.key, 'alerts_unsettled')).all();
const told = ({ lastTriggeredAt }: { lastTriggeredAt: number | null }) => lastTriggeredAt !== null;

function expectSettled(stage: AlertFixture): void {
  const at = new Map(stage.fired.map(({ alertId, triggeredAt }) => [alertId, triggeredAt]));
  for (const row of rows(stage)) {
    expect(row).toMatchObject({ active: row.persistent, lastTriggeredAt: at.get(row.id) ?? -1 });
  }
  expect(notes(stage)).toEqual([]);
}

function settle(stage: AlertFixture): void {
  for (let tick = 0; tick < 4; tick += 1) stage.tick();
}

describe('a mass firing', () => {
  test('stores triggers and messages first, and updates the alerts in the next ticks', () => {
    const stage = gap();
    expect(stage.rows.triggers()).toHaveLength(MANY);
    expect(stage.rows.messages()).toHaveLength(MANY);
    expect(rows(stage).some(told)).toBe(false);
    stage.tick();
    const first = rows(stage).filter(told).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(MANY);
    settle(stage);
    expectSettled(stage);
    expect(stage.engine.counts()).toMatchObject({ alerts: MANY / 2, waiting: 0 });
  });

  test('updates the alerts of a user before they are read', () => {
    const stage = gap();
    stage.engine.applyDeferred([2]);
    expect(rows(stage).some(told)).toBe(false);
    stage.engine.applyDeferred([1, 2]);
    expectSettled(stage);
  });

  test('keeps what a user changed or deleted in between', () => {
    const stage = gap();
    const [once, persistent, deleted] = rows(stage);
    stage.change(once?.id ?? 0, { active: false, name: 'changed', version: 2 });
    stage.change(persistent?.id ?? 0, { name: 'changed', version: 2 });
    stage.engine.remove(deleted?.id ?? 0);
    stage.db
      .delete(alerts)
      .where(eq(alerts.id, deleted?.id ?? 0))
      .run();
    settle(stage);
    const after = rows(stage);
    expect(after).toHaveLength(MANY - 1);
    expect(after.slice(0, 2)).toMatchObject([
      { name: 'changed', active: false, lastTriggeredAt: null },
      { name: 'changed', active: true, lastTriggeredAt: null },
    ]);
    expect(after.slice(2).every(told)).toBe(true);
  });

  test('waits for a failing disk and logs it once', () => {
    const stage = gap();
    stage.refuseWrites(true);
    for (let tick = 0; tick < 3; tick += 1) stage.tick();
    expect(() => stage.engine.applyDeferred([1])).toThrow();
    expect(
      stage.lines.filter(({ message }) => message.startsWith('Could not write the updates')),
    ).toHaveLength(1);
    stage.refuseWrites(false);
    settle(stage);
    expectSettled(stage);
  });

  test('keeps the time of a later trigger', () => {
    const stage = gap();
    const last = rows(stage).at(-1)?.id ?? 0;
    stage.refuseWrites(true);
    stage.tick(bhp(49));
    stage.clock.advance(60_000);
    stage.refuseWrites(false);
    const others = rows(stage).filter(({ id, persistent }) => persistent && id !== last);
    for (const { id } of others) stage.engine.remove(id);
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(MANY + 1);
    const { triggeredAt } = stage.fired.at(-1) ?? { triggeredAt: 0 };
    expect(stage.alert(last)?.lastTriggeredAt).toBe(triggeredAt);
    settle(stage);
    expect(stage.alert(last)?.lastTriggeredAt).toBe(triggeredAt);
  });
});

test.each([0, 1, 4])('killed after %d ticks fires nothing twice and updates all alerts', (ticks) => {
  const stage = gap();
  for (let tick = 0; tick < ticks; tick += 1) stage.tick();
  for (let kill = 0; kill < 3; kill += 1) {
    stage.kill();
    expect(stage.engine.counts().alerts).toBe(MANY / 2);
  }
  stage.tick(bhp(52));
  settle(stage);
  expect(stage.fired).toHaveLength(MANY);
  expectSettled(stage);
});
