import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import { Profiler } from 'react';
import type { CalendarEvent } from '../../../../src/subjects/calendar/rules/calendarEvent.ts';
import { CalendarPage } from '../../../../src/subjects/calendar/web/CalendarPage.tsx';
import { EventTable } from '../../../../src/subjects/calendar/web/parts/EventTable.tsx';
import {
  anEvent,
  type CalendarScreen,
  cellsOf,
  NOW,
  openCalendar,
  rowOf,
  showCalendar,
  shownIds,
  SIMULATED,
  tabTexts,
} from '../../../support/calendarScreen.tsx';
import { PATIENT } from '../../../support/scannerScreen.tsx';

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
  page = openCalendar();
});
afterEach(() => page.close());

const HOUR_MS = 3_600_000;
const cpi = anEvent('cpi', -1, { consensus: 3, unit: '%', isBetterThanExpected: true });

describe('a figure that arrives', () => {
  test('flashes for a moment in its direction, and nothing else does', async () => {
    await showCalendar(page, { events: [cpi, anEvent('gdp', -1)] });
    await page.tick({ cpi: { actual: 3.4 } });
    const flashing = () => [...document.querySelectorAll('.is-new')];
    expect(flashing()).toEqual([rowOf('cpi').querySelector('.cal-actual') as Element]);
    expect(cellsOf('cpi')[5]).toBe('3.4%better');
    await waitFor(() => expect(flashing()).toEqual([]), PATIENT);
  });

  test('is told to a screen reader, with what it means', async () => {
    await showCalendar(page, { events: [cpi, anEvent('gdp', -1)] });
    await page.tick({ cpi: { actual: 3.4 }, gdp: { actual: 1 } });
    await screen.findByText('AU cpi: 3.4%, better than consensus. AU gdp: 1.', {}, PATIENT);
  });

  test('of an event that is not chosen is told to nobody', async () => {
    localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney', currency: 'USD' }));
    const usd = anEvent('jobs', -1, { currencyCode: 'USD', countryCode: 'US' });
    await showCalendar(page, { events: [cpi, usd] });
    await page.tick({ cpi: { actual: 3.4 }, jobs: { actual: 200 } });
    await screen.findByText('US jobs: 200.', {}, PATIENT);
  });

  test('is not told when it was there with the first state', async () => {
    await showCalendar(page, { events: [{ ...cpi, actual: 3 }] });
    await page.tick({ gdp: { ...anEvent('gdp', 5) } });
    expect(document.querySelectorAll('.is-new')).toHaveLength(0);
  });

  test('draws its own row alone of two hundred', () => {
    const reads = new Map<string, number>();
    const counted = (id: string, actual: number | null): CalendarEvent =>
      Object.defineProperty({ ...anEvent(id, 1, { actual }) }, 'name', {
        enumerable: true,
        get: () => {
          reads.set(id, (reads.get(id) ?? 0) + 1);
          return id;
        },
      });
    const events = Array.from({ length: 200 }, (_, index) => counted(`e${index}`, null));
    const table = (shown: readonly CalendarEvent[]) => (
      <EventTable
        label="Events"
        events={shown}
        zone="Australia/Sydney"
        moment={NOW}
        next={events[0] ?? null}
        bringsFigures
      />
    );
    const { rerender } = render(table(events));
    expect(reads.size).toBe(200);
    reads.clear();
    rerender(table(events.with(7, counted('e7', 5))));
    expect([...reads.keys()]).toEqual(['e7']);
  });
});

describe('a tick of the market', () => {
  test('without a word of the calendar draws nothing', async () => {
    let draws = 0;
    page.state({ events: [cpi] });
    render(
      <Profiler id="calendar" onRender={() => (draws += 1)}>
        <CalendarPage />
      </Profiler>,
    );
    await screen.findByRole('combobox', { name: 'Time zone' });
    await waitFor(() => expect(page.server.to('/api/calendar/reminders')).toHaveLength(1));
    await page.tick();
    const before = draws;
    for (let second = 1; second <= 5; second += 1) {
      await page.tick({}, { stockCount: second, marketTime: NOW + second, clockOffsetMs: 0 });
    }
    expect(draws).toBe(before);
    await page.tick({ cpi: { actual: 2 } });
    expect(draws).toBeGreaterThan(before);
  });
});

describe('the day', () => {
  test('rolls over at midnight of the zone while the page is open', async () => {
    const events = [anEvent('evening', 11 * 60), anEvent('night', 14 * 60), anEvent('next', 38 * 60)];
    await showCalendar(page, { events });
    expect(tabTexts()).toBe('Yesterday 0, Today 1, Tomorrow 1');
    // Real time passes meanwhile.
    await page.at(NOW + 13 * HOUR_MS - 60_000);
    expect(tabTexts()).toBe('Yesterday 0, Today 1, Tomorrow 1');
    await page.at(NOW + 13 * HOUR_MS);
    await waitFor(() => expect(tabTexts()).toBe('Yesterday 1, Today 1, Tomorrow 1'));
    expect(shownIds()).toEqual(['night']);
    screen.getByText('Mon 23 Nov');
  });

  // At 02:00 on 4 October clocks in Sydney go to 03:00, at 03:00 on 5 April to 02:00.
  test.each([
    ['spring', '2026-10-03T13:59:59.000Z', '2026-10-03T14:00:00.000Z', '2026-10-04T12:59:59.000Z'],
    ['autumn', '2026-04-04T12:59:59.000Z', '2026-04-04T13:00:00.000Z', '2026-04-05T13:59:59.000Z'],
  ])('ends where it does in Sydney, in %s', async (_, before, first, last) => {
    const marketTime = Date.parse(first) + HOUR_MS * 10;
    const events = [anEvent('before', before), anEvent('first', first), anEvent('last', last)];
    const after = anEvent('after', new Date(Date.parse(last) + 1000).toISOString());
    await showCalendar(page, { events: [...events, after], meta: { marketTime } });
    expect(tabTexts()).toBe('Yesterday 1, Today 2, Tomorrow 1');
    expect(shownIds()).toEqual(['first', 'last']);
    expect([cellsOf('first')[0], cellsOf('last')[0]]).toEqual(['00:00', '23:59']);
  });

  test('follows a simulated clock that runs fast', async () => {
    // The minute to the event takes a second and a half.
    const meta = { clockSpeed: 40 };
    await showCalendar(page, { events: [anEvent('soon', 1), anEvent('later', 60)], meta });
    expect(rowOf('soon').dataset.next).toBe('true');
    await waitFor(() => expect(rowOf('soon').dataset.past).toBe('true'), PATIENT);
    expect(rowOf('later').dataset.next).toBe('true');
  });

  test('goes by the server’s clock when the calendar is not the market’s', async () => {
    const calendar = { ...SIMULATED, label: 'FXStreet', onMarketClock: false };
    // The market plays a Friday; the server has Sunday 11:00, whatever this machine says.
    const clockOffsetMs = -48 * HOUR_MS;
    const meta = { calendar, marketTime: NOW + clockOffsetMs, clockOffsetMs };
    await showCalendar(page, { events: [anEvent('past', -1), anEvent('soon', 1)], meta });
    expect(tabTexts()).toBe('Yesterday 0, Today 2, Tomorrow 0');
    expect(rowOf('soon').dataset.next).toBe('true');
    expect(rowOf('past').dataset.past).toBe('true');
  });

  test('shows an event that was moved or withdrawn as it is now', async () => {
    await showCalendar(page, { events: [anEvent('one', 10), anEvent('two', 20)] });
    await page.tick({ one: { dateUtc: new Date(NOW + 30 * 60_000).toISOString() } });
    expect(shownIds()).toEqual(['two', 'one']);
    await page.tick({}, {}, ['two']);
    expect(shownIds()).toEqual(['one']);
    act(() => rowOf('one').focus());
    await page.tick({}, {}, ['one']);
    await screen.findByText('No items.', {}, PATIENT);
  });
});
