import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { callEndings } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { Submitter } from '#subjects/calls/server/parts.ts';
import { list, shown, submit, trade } from '#support/callsApp.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock, createTestApp, type TestApp } from '#support/testApp.ts';

const SOON = 10_000;

let db: Db;
let app: TestApp;
let owner: Submitter;
let publicId: string;

beforeEach(async () => {
  db = openMemoryDb();
  app = createTestApp({ db });
  list(app);
  owner = await app.user('free');
  publicId = await submit(app);
  trade(app, 'BHP', 40);
});
afterEach(() => {
  app.close();
  db.$client.close();
});

/** Another process on the same database after this time; the monotonic clock restarts. */
function restart(afterMs: number): void {
  app.parts.calls.stop();
  app.close();
  app = createTestApp({ db, clock: createFakeClock(app.clock.now() + afterMs) });
  list(app);
}
const ask = (path: string, body?: object, as: 'free' | 'basic' = 'free') =>
  app.request('POST', `/api/calls/${publicId}/${path}`, { as, body });
const closeSoon = (pocketedValue = 90) => ask(`close?inMs=${SOON}`, { pocketedValue });
/** Advances the clock without a trade and runs the tick. */
function pass(ms: number): void {
  app.clock.advance(ms);
  app.tick.run();
}
const own = () => app.parts.calls.service.mine(owner).find((call) => call.publicId === publicId);

describe('an end that takes effect in ten seconds', () => {
  test('leaves the call open until then, and uses the price at that time', async () => {
    const answer = await closeSoon();
    expect(answer.json).toMatchObject({
      call: { status: 'open', closedAt: null, ending: { kind: 'close', inMs: SOON } },
    });
    trade(app, 'BHP', 41);
    pass(8000);
    expect(own()).toMatchObject({ status: 'open', ending: { kind: 'close', inMs: 1000 } });
    expect(await shown(app, publicId)).toMatchObject({ status: 'open' });
    pass(1000);
    const closedAt = new Date(app.clock.now()).toISOString();
    expect(own()).toMatchObject({
      status: 'closed',
      pocketedValue: 90,
      priceAtClose: 41,
      closedAt,
      ending: null,
    });
    expect(db.select().from(callEndings).all()).toEqual([]);
  });

  test('notifies all windows of its owner at the start, the undo and the end', async () => {
    const reported: number[] = [];
    app.parts.alerts.service.notifier.callsChanged = (userId: number) => void reported.push(userId);
    await closeSoon();
    await ask('keep', {});
    await closeSoon();
    expect(reported).toEqual([owner.id, owner.id, owner.id]);
    pass(SOON);
    expect(reported.length).toBeGreaterThan(3);
  });

  test('can be undone until then, but not later', async () => {
    await closeSoon();
    pass(9000);
    expect((await ask('keep', {})).json).toMatchObject({ call: { status: 'open', ending: null } });
    pass(60_000);
    expect(own()).toMatchObject({ status: 'open', ending: null });
    await closeSoon();
    pass(SOON);
    const late = await ask('keep', {});
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('This call was already closed.')]);
  });

  test('is replaced by a second request', async () => {
    await closeSoon(90);
    pass(5000);
    await ask(`cancel?inMs=${SOON}`);
    pass(6000);
    expect(own()).toMatchObject({ status: 'open', ending: { kind: 'cancel', inMs: 4000 } });
    pass(4000);
    expect(own()).toMatchObject({ status: 'cancelled', pocketedValue: null });
  });

  test('is started and undone only by the owner, and needs a value', async () => {
    expect((await ask(`close?inMs=${SOON}`, { pocketedValue: 1 }, 'basic')).status).toBe(404);
    expect((await ask(`close?inMs=${SOON}`, {})).json).toMatchObject({
      error: 'Enter a valid pocketed value before closing',
    });
    await closeSoon();
    expect((await ask('keep', {}, 'basic')).status).toBe(404);
    expect(own()).toMatchObject({ ending: { kind: 'close' } });
  });
});

describe('after a restart', () => {
  test('continues with the rest of the ten seconds', async () => {
    await closeSoon();
    restart(4000);
    expect(own()).toMatchObject({ status: 'open', ending: { kind: 'close', inMs: 6000 } });
    pass(5999);
    expect(own()).toMatchObject({ status: 'open' });
    pass(1);
    expect(own()).toMatchObject({ status: 'closed', pocketedValue: 90 });
  });

  test('waits at most ten seconds after the clock was set back', async () => {
    await closeSoon();
    restart(-86_400_000);
    expect(own()).toMatchObject({ ending: { inMs: SOON } });
    pass(SOON);
    expect(own()).toMatchObject({ status: 'closed' });
  });

  test('is not repeated if the kill came between the end and the deletion of its row', async () => {
    await closeSoon(90);
    const rows = db.select().from(callEndings).all();
    pass(SOON);
    db.insert(callEndings).values(rows).run();
    restart(20_000);
    const before = own();
    pass(SOON);
    expect(own()).toEqual(before);
    expect(db.select().from(callEndings).all()).toEqual([]);
  });
});

test('a full disk delays the end, and the rest of the market continues', async () => {
  await closeSoon();
  db.$client.run(
    "CREATE TRIGGER full BEFORE UPDATE OF closed_at ON calls BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  pass(SOON);
  expect(own()).toMatchObject({ status: 'open', ending: { kind: 'close', inMs: SOON } });
  expect(app.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  db.$client.run('DROP TRIGGER full');
  pass(SOON);
  expect(own()).toMatchObject({ status: 'closed', pocketedValue: 90 });
});
