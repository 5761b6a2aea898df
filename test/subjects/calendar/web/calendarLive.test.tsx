import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import { CalendarPage } from '../../../../src/subjects/calendar/web/CalendarPage.tsx';
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
  rows,
} from '../../../support/calendarScreen.tsx';
import { PATIENT } from '../../../support/scannerScreen.tsx';
import { ScannerStrip } from '../../../../web/app/ScannerStrip.tsx';

// Loaded ahead: no test waits for it.
await import('../../../../src/subjects/calendar/web/shared/SoonNote.tsx');

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

describe('its states', () => {
  const isLoading = () => screen.queryByRole('status', { name: 'Loading the calendar…' }) !== null;
  const unwell = { ...SIMULATED, label: 'FXStreet', healthy: false, problem: 'FXStreet does not answer.' };

  test('before the first word there are grey rows and no counts', () => {
    render(<CalendarPage />);
    expect(isLoading()).toBe(true);
    expect(tabTexts()).toBe('Yesterday –, Today –, Tomorrow –');
    screen.getByText('reconnecting…');
  });

  test('a source that fails says why, and that nothing is known', async () => {
    page.state({ meta: { calendar: { ...unwell, lastUpdate: null } } });
    render(<CalendarPage />);
    await screen.findByText('The events are not here yet.');
    screen.getByText('FXStreet does not answer. Trying again.');
    expect(tabTexts()).toBe('Yesterday –, Today –, Tomorrow –');
  });

  test('a source that began to fail leaves what is known, with its age', async () => {
    await showCalendar(page, { events: [anEvent('cpi', 5)], meta: { calendar: unwell } });
    expect(rows()).toHaveLength(1);
    screen.getByText(
      'FXStreet does not answer. Shown as of Sunday 22 November 11:00 (Australia/Sydney). Trying again.',
    );
  });

  test('a lost stream leaves what is known, says so and can be tried again', async () => {
    await showCalendar(page, { events: [anEvent('cpi', 5)] });
    page.say({ type: 'connection', connection: 'reconnecting' });
    await screen.findByText(/Connection lost: figures/);
    screen.getByText('reconnecting…');
    expect(rows()).toHaveLength(1);
    screen.getByRole('button', { name: 'Retry' });
    page.state({ events: [anEvent('cpi', 5)], meta: { marketTime: NOW } });
    await waitFor(() => expect(screen.queryByText(/Connection lost: figures/) === null).toBe(true));
  });
});

describe('the note of what comes soon', () => {
  const rate = anEvent('Rate decision', 24, {
    volatility: 'HIGH',
    consensus: 3.6,
    previous: 3.85,
    unit: '%',
  });
  const EVENTS = [
    rate,
    anEvent('Statement', 24, { volatility: 'HIGH', isReport: true }),
    anEvent('Too late', 61, { volatility: 'HIGH' }),
    anEvent('Over', -1, { volatility: 'HIGH' }),
    anEvent('Not much', 5, { volatility: 'MEDIUM' }),
    anEvent('Elsewhere', 5, { volatility: 'HIGH', currencyCode: 'USD' }),
  ];
  const note = () => document.querySelector<HTMLElement>('.soon-note');

  test('the strip names the events of HIGH impact for AUD in the next hour, and leads to the calendar', async () => {
    page.state({ events: EVENTS });
    render(<ScannerStrip />);
    await waitFor(() => expect(note()?.textContent).toBe('AUD in 24 minRate decision+1'));
    expect(note()?.getAttribute('href')).toBe('#/fx-news');
    expect(screen.getByRole('tooltip', { hidden: true }).textContent).toBe(
      '11:24 Sydney: Rate decision (consensus 3.6%, previous 3.9%)\n11:24 Sydney: Statement',
    );
    expect(note()?.getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip', { hidden: true }).id);
  });
});
