import { beforeEach, describe, expect, test } from 'bun:test';
import type { EventGuard, GuardingEvent } from '#subjects/alerts/rules/eventGuard.ts';
import { guardingEvents } from '#subjects/calendar/rules/guardingEvents.ts';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { type AlertStage, createAlertStage } from '#support/alertStage.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import { createFakeClock } from '#support/testApp.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { aScan, createScanAlertStage, type NewScanAlert } from '#support/scanAlertStage.ts';

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
});

describe('of alerts on whole scans', () => {
  const mark: EventGuard = { mode: 'mark', currencies: ['AUD'] };
  const over50 = aScan(allOf(is(LAST, '>', 50)));
  const trade = (code: string, last: number): StockUpdate => ({ code, status: 'Open', last });

  /** An alert that knows three stocks outside its scan, and an event of HIGH impact in two minutes. */
  function started(change: NewScanAlert = {}, scans = [over50]) {
    const stage = createScanAlertStage({ scans });
    const { id } = stage.add({ guard: hold, ...change });
    stage.tick(trade('BHP', 40), trade('CBA', 40), trade('CSL', 40));
    stage.tick();
    stage.tick();
    const event = { name: 'CPI', currency: 'AUD', at: stage.clock.now() + 2 * MINUTE };
    stage.events.push(event);
    return { stage, id, event };
  }

  type Stage = ReturnType<typeof started>['stage'];
  const over = (stage: Stage, ...updates: StockUpdate[]): void => {
    stage.clock.advance(8 * MINUTE);
    stage.tick(...updates);
  };
  const kinds = (stage: Stage) => stage.triggers().map(({ guard }) => guard?.kind ?? null);
  /** The text of the first message, line by line. */
  function sentText(stage: Stage): string {
    const message = stage.messages()[0]?.message;
    return message && 'title' in message ? [message.title, ...message.lines].join('\n') : '';
  }

  test('an alert on a scan that is marked around events tells as always, and names the event in its message', () => {
    const { stage, event } = started({ guard: mark });
    stage.tick(trade('BHP', 51));
    expect(kinds(stage)).toEqual(['marked']);
    expect(sentText(stage)).toContain(`Within 5 minutes of ${event.name} (AUD, HIGH)`);
  });

  describe('an alert on a scan that is held back around events', () => {
    test('says nothing until the event is over, and then tells all that still stand in one message', () => {
      const { stage } = started();
      stage.tick(trade('BHP', 51));
      stage.tick(trade('CBA', 52));
      stage.tick(trade('CSL', 53));
      stage.tick(trade('CBA', 40));
      expect(stage.messages()).toEqual([]);
      over(stage);
      expect(stage.symbols()).toEqual([['BHP', 'CSL']]);
      expect(kinds(stage)).toEqual(['late']);
      expect(sentText(stage)).toStartWith('2 stocks entered\n');
      expect(sentText(stage)).toContain('Held back since');
      expect(stage.told).toHaveLength(1);
      expect(stage.triggers()[0]?.triggeredAt).toBe(stage.clock.now());
    });

    test('has fired for nothing where all have left again, and its history says so', () => {
      const { stage } = started();
      stage.tick(trade('BHP', 51));
      stage.tick(trade('BHP', 40));
      over(stage);
      expect(kinds(stage)).toEqual(['withheld']);
      expect(stage.messages()).toEqual([]);
      expect(stage.told).toEqual([]);
      // It counts in no limit: the stock is told as it enters again.
      stage.tick(trade('BHP', 52));
      expect(kinds(stage)).toEqual(['withheld', null]);
    });

    test('tells what left and has not come back', () => {
      const { stage } = started({ event: 'leaves' });
      stage.events.length = 0;
      stage.tick(trade('BHP', 51), trade('CBA', 51));
      stage.events.push({ name: 'CPI', currency: 'AUD', at: stage.clock.now() });
      stage.tick(trade('BHP', 40), trade('CBA', 40));
      stage.tick(trade('CBA', 51));
      over(stage);
      expect(stage.symbols()).toEqual([['BHP']]);
      expect(sentText(stage)).toStartWith('1 stock left\n');
    });

    test('tells at once after a kill that outlasted the event, and never twice', () => {
      const { stage } = started();
      stage.tick(trade('BHP', 51));
      stage.clock.advance(8 * MINUTE);
      stage.kill();
      stage.tick();
      stage.tick();
      stage.kill();
      stage.tick();
      expect(stage.symbols()).toEqual([['BHP']]);
      expect(stage.messages()).toHaveLength(1);
    });

    test('keeps what could not be written, and tells it late', () => {
      const { stage } = started();
      stage.refuseWrites(true);
      stage.tick(trade('BHP', 51));
      over(stage);
      expect(stage.triggers()).toEqual([]);
      stage.refuseWrites(false);
      stage.tick();
      expect(stage.symbols()).toEqual([['BHP']]);
      expect(kinds(stage)).toEqual(['late']);
    });
  });
});
