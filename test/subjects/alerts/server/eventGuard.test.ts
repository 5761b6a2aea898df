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
const guard: EventFilter = { mode: 'mark', currencies: ['AUD'] };
const MINUTE = 60_000;

const sentText = (messages: readonly { message: unknown }[]): string => JSON.stringify(messages[0]?.message);

test('an alert names an event within five minutes, but not afterwards', () => {
  const clock = createFakeClock();
  const dateUtc = new Date(clock.now() + 2 * MINUTE).toISOString();
  const events = [aCalendarEvent({ name: 'Employment Change', dateUtc })];
  const guarding = (): FilterEvent[] => guardingEvents(events, clock.now());
  const stage = createAlertFixture({
    clock,
    given: { calendar: { highEvents: { guarding, now: () => clock.now() } } },
  });
  stage.tick(trade('BHP', 49));
  const { id } = stage.add({ logic: above50, guard, persistent: true });
  stage.tick(trade('BHP', 49));
  expect(stage.engine.evaluation(id)?.guard).toContain('Employment Change (AUD, HIGH)');
  stage.tick(trade('BHP', 51));
  expect(stage.rows.triggers()[0]?.guard?.event.name).toBe('Employment Change');
  expect(stage.rows.messages()).toHaveLength(1);
  stage.tick(trade('BHP', 49));
  clock.advance(8 * MINUTE);
  stage.tick(trade('BHP', 51));
  expect(stage.rows.triggers()[1]).toMatchObject({ guard: null, silent: false });
  expect(stage.engine.evaluation(id)?.guard).toBeNull();
});

/** An alert that has seen a stock outside its scan, and a HIGH-impact event in two minutes. */
function startedScan() {
  const stage = createScanAlertFixture({ scans: [aScan(above50)] });
  const alert = stage.add({ guard });
  stage.tick(trade('BHP', 40));
  stage.tick();
  const event = { name: 'CPI', currency: 'AUD', at: stage.clock.now() + 2 * MINUTE };
  stage.events.push(event);
  return { stage, alert, event };
}

test('an alert on a scan names the event in its message', () => {
  const { stage } = startedScan();
  stage.tick(trade('BHP', 51));
  expect(sentText(stage.messages())).toContain('Within 5 minutes of CPI (AUD, HIGH)');
});

test('triggers that an earlier version delayed for an event are sent at the start', () => {
  const { stage, event } = startedScan();
  const since = stage.clock.now();
  stage.tick(trade('BHP', 51));
  stage.db.$client.run('DELETE FROM outbox');
  stage.db.$client.run(
    `UPDATE scan_alert_triggers SET symbol = NULL, symbols = '["BHP"]', is_open = 1, guard = ?`,
    [JSON.stringify({ kind: 'late', event, since })],
  );
  stage.kill();
  stage.tick();
  stage.tick();
  expect(stage.messages()).toHaveLength(1);
  expect(sentText(stage.messages())).toContain('Delayed since');
});
