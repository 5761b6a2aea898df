import { describe, expect, test } from 'bun:test';
import { type Alert, UNDO_WINDOW_MS, undoTimeLeft } from '#subjects/alerts/rules/alert.ts';
import type { AlertConflict, AlertView } from '#subjects/alerts/rules/alertView.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { addAlert, alertsOf, changeAlert, lastAbove, withListed } from '#support/alertsApp.ts';
import { type AlertFixture, createAlertFixture } from '#support/alertFixture.ts';
import { trade } from '#support/callsApp.ts';
import type { TestApp } from '#support/testApp.ts';
import { allOf, is, LAST } from '#support/conditions.ts';

const BHP_AT_40 = { code: 'BHP', status: 'Open', open: 39, last: 40, close: 39, volume: 100 } as const;

const fired = async (app: TestApp): Promise<number> => {
  const { json } = await app.request('GET', '/api/alerts/1/triggers', { as: 'free' });
  return (json as { triggers: unknown[] }).triggers.length;
};
const undo = (app: TestApp, body: object = {}) =>
  app.request('POST', '/api/alerts/1/undo', { as: 'free', body });
/** Lets this many seconds pass on the market. */
const pass = (app: TestApp, seconds: number): void => {
  for (let second = 0; second < seconds; second += 1) {
    app.clock.advance(1000);
    app.tick.run();
  }
};

describe('a condition that is already true when saved', () => {
  test('fires five seconds later, and shows that until then', () =>
    withListed(async (app) => {
      const saved = await addAlert(app, { logic_json: lastAbove(30), persistent: false });
      expect(saved.arms_in_ms).toBe(UNDO_WINDOW_MS);
      pass(app, 4);
      expect(await fired(app)).toBe(0);
      expect((await alertsOf(app))[0]).toMatchObject({ active: true, arms_in_ms: 1000 });
      pass(app, 1);
      expect(await fired(app)).toBe(1);
      expect((await alertsOf(app))[0]).toMatchObject({ active: false, arms_in_ms: null });
    }));

  test('does not fire if it became false within that time', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: lastAbove(39) });
      trade(app, 'BHP', 38);
      trade(app, 'BHP', 41);
      expect(await fired(app)).toBe(0);
      trade(app, 'BHP', 38);
      pass(app, 3);
      expect(await fired(app)).toBe(0);
      trade(app, 'BHP', 41);
      expect(await fired(app)).toBe(1);
    }));
});

describe('undo', () => {
  test('of a new alert or a switch turns it off without sending anything', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: lastAbove(30) });
      const undone = await undo(app, { version: 1 });
      expect(undone.status).toBe(200);
      expect(undone.json).toMatchObject({ active: false, version: 2, logic_json: lastAbove(30) });
      pass(app, 6);
      expect(await fired(app)).toBe(0);
      expect((await changeAlert(app, 1, { active: true })).arms_in_ms).not.toBeNull();
      expect((await undo(app)).json).toMatchObject({ active: false });
    }));

  test('of a change restores the previous alert with its state', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: lastAbove(45) });
      trade(app, 'BHP', 46);
      expect(await fired(app)).toBe(1);
      app.clock.advance(120_000);
      app.tick.run();
      expect((await changeAlert(app, 1, { logic_json: lastAbove(44) })).arms_in_ms).not.toBeNull();
      // A second change within the undo window still goes back to the live version.
      expect((await changeAlert(app, 1, { logic_json: lastAbove(43) })).arms_in_ms).not.toBeNull();
      expect((await undo(app)).json).toMatchObject({
        active: true,
        arms_in_ms: null,
        logic_json: lastAbove(45),
      });
      pass(app, 6);
      // The condition still holds and has already fired.
      expect(await fired(app)).toBe(1);
      trade(app, 'BHP', 44);
      trade(app, 'BHP', 46);
      expect(await fired(app)).toBe(2);
    }));

  test('is refused after the undo window or without a change', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: lastAbove(30) });
      pass(app, 5);
      const late = await undo(app);
      expect(late.status).toBe(409);
      expect((late.json as AlertConflict).error).toBe('Too late to undo: this alert is already active.');
      expect(await fired(app)).toBe(1);
    }));

  test('in two windows never reverts a later change of the other one', () =>
    withListed(async (app) => {
      await addAlert(app, { logic_json: lastAbove(30) });
      await changeAlert(app, 1, { logic_json: lastAbove(31), version: 1 });
      const stale = await undo(app, { version: 1 });
      expect(stale.status).toBe(409);
      expect((stale.json as { alert: AlertView }).alert).toMatchObject({ version: 2, active: true });
      expect((await undo(app, { version: 2 })).json).toMatchObject({ active: false });
    }));
});

describe('after a restart', () => {
  const add = (fixture: AlertFixture, logic: Logic): Alert => {
    const { id } = fixture.add({ logic, active: false });
    return fixture.change(id, { active: true, armedAt: fixture.clock.now() + UNDO_WINDOW_MS });
  };
  const passOn = (fixture: AlertFixture, seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      fixture.tick();
    }
  };

  test('the rest of the undo window passes, and the alert fires once', () => {
    const fixture = createAlertFixture();
    fixture.tick(BHP_AT_40);
    const { id } = add(fixture, lastAbove(30));
    fixture.tick();
    fixture.kill();
    fixture.tick(BHP_AT_40);
    expect(fixture.engine.isPending(id)).toBe(true);
    passOn(fixture, 2);
    expect(fixture.fired).toHaveLength(0);
    passOn(fixture, 3);
    expect(fixture.fired).toHaveLength(1);
    passOn(fixture, 10);
    expect(fixture.fired).toHaveLength(1);
  });

  test('a crossing while the server was down fires without an undo window', () => {
    const fixture = createAlertFixture();
    fixture.tick(BHP_AT_40);
    const { id } = add(fixture, allOf(is(LAST, 'crosses_above', 45)));
    fixture.tick();
    fixture.tick();
    fixture.kill();
    fixture.tick({ ...BHP_AT_40, last: 46, volume: 200 });
    expect(fixture.engine.isPending(id)).toBe(false);
    expect(fixture.fired).toHaveLength(1);
  });

  test('a value that arrives later also starts an undo window, with a notification', () => {
    const triggered: number[] = [];
    const fixture = createAlertFixture({ arming: ({ id }) => void triggered.push(id) });
    const { id } = add(fixture, lastAbove(30));
    expect(triggered).toEqual([]);
    fixture.tick(BHP_AT_40);
    expect(triggered).toEqual([id]);
    expect(fixture.fired).toHaveLength(0);
    passOn(fixture, 5);
    expect(fixture.fired).toHaveLength(1);
  });
});

test('an expired alert is switched off with its reason and a message, even if its stock does not trade', () => {
  const at = (fixture: AlertFixture, ms: number): number => fixture.source.clock.now() + ms;
  const fixture = createAlertFixture();
  fixture.tick(BHP_AT_40);
  const { id } = fixture.add({ logic: lastAbove(50), expiresAt: at(fixture, 2500) });
  fixture.tick();
  fixture.tick();
  expect(fixture.alert(id)?.active).toBe(true);
  // It would fire in this very tick.
  fixture.tick({ code: 'BHP', last: 60, volume: 200 });
  expect(fixture.alert(id)).toMatchObject({
    active: false,
    stoppedReason: expect.stringMatching(/^It expired on /),
  });
  expect(fixture.fired).toHaveLength(0);
  expect(fixture.rows.messages()).toHaveLength(1);
  expect(fixture.stopped.map((alert) => alert.id)).toEqual([id]);
});

test('a clock set back does not lengthen the undo window', () => {
  expect(undoTimeLeft(null, 1000)).toBe(0);
  expect(undoTimeLeft(4000, 1000)).toBe(3000);
  expect(undoTimeLeft(1000, 4000)).toBe(0);
  expect(undoTimeLeft(9_000_000, 1000)).toBe(UNDO_WINDOW_MS);
});
