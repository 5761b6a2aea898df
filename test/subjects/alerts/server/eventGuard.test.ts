import { beforeEach, describe, expect, test } from 'bun:test';
import type { EventGuard, GuardingEvent } from '../../../../src/subjects/alerts/rules/eventGuard.ts';
import { guardingEvents } from '../../../../src/subjects/calendar/rules/guardingEvents.ts';
import type { CalendarEvent } from '../../../../src/subjects/calendar/rules/calendarEvent.ts';
import { aCalendarEvent } from '../../../support/aCalendarEvent.ts';
import { type AlertStage, createAlertStage } from '../../../support/alertStage.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';
import { createFakeClock } from '../../../support/testApp.ts';

const bhp = (last: number) => ({ code: 'BHP', status: 'Open' as const, last });
const above50 = allOf(is(LAST, '>', 50));
const crosses50 = allOf(is(LAST, 'crosses_above', 50));
const hold: EventGuard = { mode: 'hold', currencies: ['AUD'] };
const MINUTE = 60_000;

let events: CalendarEvent[];
let stage: AlertStage;

/** An event so many minutes from now. */
const eventIn = (minutes: number, members: Partial<CalendarEvent> = {}): CalendarEvent =>
  aCalendarEvent({
    name: 'Employment Change',
    dateUtc: new Date(stage.clock.now() + minutes * MINUTE).toISOString(),
    ...members,
  });

const kinds = () => stage.rows.triggers().map(({ guard }) => guard?.kind ?? null);
/** So many minutes go by, and the stock shows something. */
function after(minutes: number, last?: number): void {
  stage.clock.advance(minutes * MINUTE);
  stage.tick(...(last === undefined ? [] : [bhp(last)]));
}

beforeEach(() => {
  const clock = createFakeClock();
  events = [];
  const guarding = (): GuardingEvent[] => guardingEvents(events, clock.now());
  stage = createAlertStage({ clock, needs: { events: { guarding, now: () => clock.now() } } });
  stage.tick(bhp(49));
});

describe('an alert that is marked around events', () => {
  test('fires as always, and its trigger names the event', () => {
    events = [eventIn(4)];
    stage.add({ logic: above50, guard: { mode: 'mark', currencies: ['AUD'] } });
    stage.tick(bhp(51));
    expect(stage.fired).toHaveLength(1);
    expect(stage.rows.triggers()[0]?.guard).toMatchObject({
      kind: 'marked',
      event: { name: 'Employment Change', currency: 'AUD' },
      since: null,
    });
  });

  test.each([
    ['too far ahead', () => eventIn(6)],
    ['of another currency', () => eventIn(1, { currencyCode: 'USD' })],
    ['of less impact', () => eventIn(1, { volatility: 'MEDIUM' })],
    ['one that lasts all day', () => eventIn(0, { isAllDay: true })],
  ])('is not for an event %s', (_, make) => {
    events = [make()];
    stage.add({ logic: above50, guard: { mode: 'mark', currencies: ['AUD'] } });
    stage.tick(bhp(51));
    expect(kinds()).toEqual([null]);
  });
});

describe('an alert that is held back', () => {
  test('fires nothing within five minutes of the event, and then what still holds, though its stock rests', () => {
    events = [eventIn(2)];
    const { id } = stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    const since = stage.clock.now();
    expect(stage.engine.evaluation(id)?.guard).toContain('Held back since');
    after(6.8);
    expect(stage.fired).toEqual([]);
    expect(stage.alert(id)).toMatchObject({ active: true, lastTriggeredAt: null, held: { since } });
    after(0.2);
    expect(kinds()).toEqual(['late']);
    expect(stage.rows.triggers()[0]).toMatchObject({ guard: { since }, deactivated: true, silent: false });
    expect(stage.rows.messages()).toHaveLength(1);
    expect(stage.alert(id)).toMatchObject({ active: false, held: null });
  });

  test('keeps in its history what no longer holds, tells nobody, and stays on', () => {
    events = [eventIn(2)];
    const { id } = stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    stage.tick(bhp(49));
    after(7);
    expect(kinds()).toEqual(['withheld']);
    expect(stage.rows.triggers()[0]).toMatchObject({ silent: true, deactivated: false });
    expect(stage.rows.triggers()[0]?.seen[0]?.left.value).toBe(51);
    expect(stage.rows.messages()).toEqual([]);
    expect(stage.alert(id)).toMatchObject({ active: true, lastTriggeredAt: null, held: null });
    after(1, 52);
    expect(kinds()).toEqual(['withheld', null]);
  });

  test.each([
    ['still above', 51.5, 'late'],
    ['back below', 49.5, 'withheld'],
  ] as const)('judges a crossing by the side on which it stands: %s', (_, last, kind) => {
    events = [eventIn(2)];
    stage.add({ logic: crosses50, guard: hold });
    stage.tick();
    stage.tick(bhp(51));
    stage.tick(bhp(52));
    stage.tick(bhp(last));
    after(7);
    expect(kinds()).toEqual([kind]);
  });

  test('fires once for all that came true meanwhile, and repeats afterwards as always', () => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold, persistent: true });
    for (const last of [51, 49, 52, 49, 53]) stage.tick(bhp(last));
    after(7);
    after(1);
    expect(kinds()).toEqual(['late']);
    stage.tick(bhp(49));
    stage.tick(bhp(54));
    expect(kinds()).toEqual(['late', null]);
  });

  test('cools down from when it fired, not from when it was held back', () => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold, persistent: true });
    stage.tick(bhp(51));
    after(7);
    stage.tick(bhp(49));
    stage.tick(bhp(51));
    expect(kinds()).toEqual(['late']);
  });

  test('that was firing before the event fires no second time for it', () => {
    stage.add({ logic: above50, guard: hold, persistent: true });
    stage.tick(bhp(51));
    events = [eventIn(2)];
    stage.tick(bhp(52));
    after(8);
    expect(kinds()).toEqual([null]);
  });

  test('what is true as it is saved is armed first, and then held back', () => {
    events = [eventIn(2)];
    stage.tick(bhp(51));
    const { id } = stage.add({ logic: above50, guard: hold, armedAt: stage.clock.now() + 5000 });
    stage.tick();
    expect(stage.engine.isArming(id)).toBe(true);
    expect(stage.alert(id)?.held).toBeNull();
    stage.clock.advance(5000);
    stage.tick();
    expect(stage.alert(id)?.held).not.toBeNull();
    after(7);
    expect(kinds()).toEqual(['late']);
  });

  test('snoozed, it fires silently when the event is over, and aloud after the snooze', () => {
    events = [eventIn(2)];
    const snoozedUntil = stage.clock.now() + 20 * MINUTE;
    stage.add({ logic: above50, guard: hold, snoozedUntil });
    stage.tick(bhp(51));
    after(8);
    expect(stage.rows.triggers()).toMatchObject([
      { silent: true, deactivated: false, guard: { kind: 'late' } },
    ]);
    after(15, 52);
    expect(stage.rows.triggers()[1]).toMatchObject({ silent: false, guard: null, deactivated: true });
  });

  test('goes on waiting after a restart, and decides when the server comes back later', () => {
    events = [eventIn(2)];
    const { id } = stage.add({ logic: crosses50, guard: hold });
    stage.tick();
    stage.tick(bhp(51));
    stage.kill();
    stage.tick(bhp(52));
    expect(stage.fired).toEqual([]);
    expect(stage.engine.evaluation(id)?.guard).toContain('Held back since');
    stage.kill();
    after(10);
    expect(kinds()).toEqual(['late']);
    stage.kill();
    after(10, 53);
    expect(kinds()).toEqual(['late']);
  });

  test.each([
    ['moves away', () => [eventIn(40)]],
    ['vanishes', () => []],
  ])('is decided when the event %s', (_, next) => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    events = next();
    stage.tick();
    expect(kinds()).toEqual(['late']);
  });

  test('waits longer where the event is put off a little, or another one follows', () => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    events = [eventIn(5), eventIn(9)];
    after(13);
    expect(kinds()).toEqual([]);
    after(1.5);
    expect(kinds()).toEqual(['late']);
  });

  test('is decided at once where its owner takes the guard away, and begins afresh with other conditions', () => {
    events = [eventIn(2)];
    const { id } = stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    stage.change(id, { logic: allOf(is(LAST, '>', 60)) });
    stage.tick(bhp(52));
    expect(stage.alert(id)?.held).toBeNull();
    stage.change(id, { logic: above50 });
    stage.tick(bhp(53));
    expect(stage.alert(id)?.held).not.toBeNull();
    stage.change(id, { guard: null });
    stage.tick();
    expect(kinds()).toEqual(['late']);
  });

  test('expires only when what it waited for was told', () => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold, expiresAt: stage.clock.now() + 3 * MINUTE });
    stage.tick(bhp(51));
    after(4);
    expect(stage.stopped).toEqual([]);
    after(4);
    expect(kinds()).toEqual(['late']);
  });

  test('waits on while prices do not come, as what the market holds is old', () => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    stage.source.setHealth({ healthy: false });
    after(8);
    expect(kinds()).toEqual([]);
    stage.source.setHealth({ healthy: true });
    stage.tick();
    expect(kinds()).toEqual(['late']);
  });

  test('is held back again in memory when that could not be written, and told once the disk is there', () => {
    events = [eventIn(2)];
    const { id } = stage.add({ logic: above50, guard: hold });
    stage.refuseWrites(true);
    stage.tick(bhp(51));
    expect(stage.alert(id)?.held).toBeNull();
    stage.refuseWrites(false);
    stage.tick();
    expect(stage.alert(id)?.held).not.toBeNull();
  });

  test('is forgotten where the market is taken to another moment', () => {
    events = [eventIn(2)];
    stage.add({ logic: above50, guard: hold });
    stage.tick(bhp(51));
    stage.engine.jump();
    after(8);
    expect(kinds()).toEqual([]);
  });
});
