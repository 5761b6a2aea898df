import { afterEach, beforeEach, expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import { ScannerStrip } from '../../../../web/app/ScannerStrip.tsx';
import {
  anEvent,
  type CalendarScreen,
  NOW,
  openCalendar,
  showCalendar,
} from '../../../support/calendarScreen.tsx';

// Loaded ahead: no test waits for it.
await import('../../../../src/subjects/calendar/web/shared/SoonNote.tsx');

let page: CalendarScreen;
beforeEach(() => {
  page = openCalendar();
});
afterEach(() => page.close());

const rate = anEvent('Rate decision', 24, { volatility: 'HIGH', consensus: 3.6, previous: 3.85, unit: '%' });
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

test('the strip names none while there is none', async () => {
  page.state({ events: EVENTS.slice(2) });
  render(<ScannerStrip />);
  await page.tick();
  expect(note() === null).toBe(true);
});

test('the note comes and goes with the events', async () => {
  page.state({ events: [anEvent('Rate decision', 24, { volatility: 'MEDIUM' })] });
  render(<ScannerStrip />);
  await page.tick({ 'Rate decision': { volatility: 'HIGH' } });
  await waitFor(() => expect(note()?.textContent).toContain('Rate decision'));
  await page.tick({ 'Rate decision': { dateUtc: new Date(NOW + 7_200_000).toISOString() } });
  expect(note() === null).toBe(true);
});

test('the calendar names them too', async () => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Europe/London', currency: 'EUR' }));
  await showCalendar(page, { events: EVENTS });
  expect(note()?.textContent).toBe('AUD in 24 minRate decision+1');
  expect(note()?.getAttribute('href')).toBe(null);
});
