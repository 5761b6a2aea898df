import { afterEach, beforeEach, expect, test } from 'bun:test';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { results } from '#support/axe.ts';
import {
  anEvent,
  type CalendarScreen,
  cellsOf,
  openCalendar,
  rowOf,
  showCalendar,
  shownIds,
} from '#support/calendarScreen.tsx';

const HALT = {
  id: 'a',
  kinds: ['halt'],
  code: 'NVU',
  name: 'Nanoveu',
  headline: 'Trading Halt',
  url: null,
  time: '2026-11-21T23:30:00Z',
  date: null,
};
const EVENTS = [
  HALT,
  {
    ...HALT,
    id: 'b',
    kinds: ['lifted', 'raising'],
    headline: '$7.5M Placement',
    time: '2026-11-21T23:45:00Z',
    url: 'https://example.test/b',
  },
  {
    ...HALT,
    id: 'ex',
    kinds: ['exDividend'],
    code: 'PL8',
    headline: 'Ex-dividend 22 November 2026',
    time: null,
    date: '2026-11-22',
  },
];

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
  page = openCalendar({ 'GET /api/calendar/company-events': { body: { events: EVENTS } } });
});
afterEach(() => page.close());

const show = async () => {
  await showCalendar(page, { events: [anEvent('cpi', -20, { volatility: 'HIGH' })] });
  await waitFor(() => expect(shownIds()).toHaveLength(4));
};

test('events of companies are rows in order of time, without an impact, reminder or wait for a figure', async () => {
  await show();
  expect(shownIds()).toEqual(['company PL8 ex', 'company NVU a', 'cpi', 'company NVU b']);
  expect(cellsOf('company NVU a')).toEqual([
    '10:30',
    'AU',
    'AUD',
    'NVU Trading halt',
    '–',
    '–',
    '–',
    '–',
    '–',
    'Company',
  ]);
  expect(cellsOf('company NVU b')[3]).toBe('NVU Halt lifted, capital raising: $7.5M Placement');
  expect(cellsOf('company PL8 ex').slice(0, 4)).toEqual([
    'All day',
    'AU',
    'AUD',
    'PL8 Ex-dividend: Ex-dividend 22 November 2026',
  ]);
  expect(await results(document.body)).toEqual([]);
});

test('an opened row has the headline, the document and the stock, and asks for no past releases', async () => {
  await show();
  await userEvent.click(rowOf('company NVU b'));
  expect(await screen.findByText(/announced: \$7.5M Placement/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Document' }).getAttribute('href')).toBe('https://example.test/b');
  expect(screen.getByRole('button', { name: 'Show NVU' })).toBeTruthy();
  expect(page.server.calls.some(({ path }) => path.includes('history'))).toBe(false);
  expect(await results(document.body)).toEqual([]);
});

test('the switch, an impact and a currency hide them, and the browser remembers the switch', async () => {
  await show();
  await userEvent.selectOptions(screen.getByLabelText('Impact'), 'LOW');
  expect(shownIds()).toEqual([]);
  await userEvent.selectOptions(screen.getByLabelText('Impact'), 'ALL');
  await userEvent.click(screen.getByRole('switch', { name: 'Companies' }));
  expect(shownIds()).toEqual(['cpi']);
  expect(localStorage.getItem('bellbird.calendar')).toContain('"companies":false');
});
