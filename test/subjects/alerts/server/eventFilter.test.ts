import { expect, test } from 'bun:test';
import type { EventFilter, FilterEvent } from '#subjects/alerts/rules/eventFilter.ts';
import { guardingEvents } from '#subjects/calendar/rules/events.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { createAlertFixture } from '#support/alertFixture.ts';
import { allOf, is, LAST } from '#support/conditions.ts';
import { createFakeClock } from '#support/testApp.ts';
import { aScan, createScanAlertFixture } from '#support/scanAlertFixture.ts';

const trade = (code: string, last: number) => ({ code, status: 'Open' as const, last });
const above50 = allOf(is(LAST, '>', 50));
const filter: EventFilter = { mode: 'mark', currencies: ['AUD'] };
const MINUTE = 60_000;

const sentText = (messages: readonly { message: unknown }[]): string => JSON.stringify(messages[0]?.message);

test('an alert names an event within five minutes, but not afterwards', () => {
  const clock = createFakeClock();
  const dateUtc = new Date(clock.now() + 2 * MINUTE).toISOString();
  const events = [aCalendarEvent({ name: 'Employment Change', dateUtc })];
  const guarding = (): FilterEvent[] => guardingEvents(events, clock.now());
  const fixture = createAlertFixture({
    clock,
    given: { calendar: { highEvents: { guarding, now: () => clock.now() } } },
  });
  fixture.tick(trade('BHP', 49));
  const { id } = fixture.add({ logic: above50, guard: filter, persistent: true });
  fixture.tick(trade('BHP', 49));
  expect(fixture.engine.evaluation(id)?.guard).toContain('Employment Change (AUD, HIGH)');
  fixture.tick(trade('BHP', 51));
  expect(fixture.rows.triggers()[0]?.guard?.event.name).toBe('Employment Change');
  expect(fixture.rows.messages()).toHaveLength(1);
  fixture.tick(trade('BHP', 49));
  clock.advance(8 * MINUTE);
  fixture.tick(trade('BHP', 51));
  expect(fixture.rows.triggers()[1]).toMatchObject({ guard: null, silent: false });
  expect(fixture.engine.evaluation(id)?.guard).toBeNull();
});

/** An alert that has seen a stock outside its scan, and a HIGH-impact event in two minutes. */
function startedScan() {
  const fixture = createScanAlertFixture({ scans: [aScan(above50)] });
  const alert = fixture.add({ guard: filter });
  fixture.tick(trade('BHP', 40));
  fixture.tick();
  const event = { name: 'CPI', currency: 'AUD', at: fixture.clock.now() + 2 * MINUTE };
  fixture.events.push(event);
  return { fixture, alert, event };
}

test('an alert on a scan names the event in its message', () => {
  const { fixture } = startedScan();
  fixture.tick(trade('BHP', 51));
  expect(sentText(fixture.messages())).toContain('Within 5 minutes of CPI (AUD, HIGH)');
});
