import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { CalendarPage } from '../../../../src/subjects/calendar/web/CalendarPage.tsx';
import {
  anEvent,
  type CalendarScreen,
  NOW,
  openCalendar,
  rows,
  showCalendar,
  SIMULATED,
  tabTexts,
} from '../../../support/calendarScreen.tsx';

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
  page = openCalendar();
});
afterEach(() => {
  jest.useRealTimers();
  page.close();
});

const pass = (ms: number) => act(() => void jest.advanceTimersByTime(ms));

const isLoading = () => screen.queryByRole('status', { name: 'Loading the calendar…' }) !== null;
const unwell = { ...SIMULATED, label: 'FXStreet', healthy: false, problem: 'FXStreet does not answer.' };

test('before the first word there are grey rows and no counts', () => {
  render(<CalendarPage />);
  expect(isLoading()).toBe(true);
  expect(tabTexts()).toBe('Yesterday –, Today –, Tomorrow –');
  screen.getByText('reconnecting…');
});

test('events that come after the market’s first part are waited for', async () => {
  page.state({ meta: { calendar: SIMULATED } });
  render(<CalendarPage />);
  expect(isLoading()).toBe(true);
  await page.tick({ cpi: anEvent('cpi', 5) });
  expect(rows()).toHaveLength(1);
});

test('a source that has none leaves the table empty', () => {
  jest.useFakeTimers();
  page.state({});
  render(<CalendarPage />);
  pass(1700);
  screen.getByText('No items.');
  screen.getByText('Sunday 22 November 2026');
  expect(tabTexts()).toBe('Yesterday 0, Today 0, Tomorrow 0');
});

test('a source that was not read yet is waited for', () => {
  jest.useFakeTimers();
  page.state({ meta: { calendar: { ...SIMULATED, lastUpdate: null } } });
  render(<CalendarPage />);
  pass(1700);
  expect(isLoading()).toBe(true);
});

test('a calendar that is switched off says so', async () => {
  page.state({ meta: { calendar: null } });
  render(<CalendarPage />);
  screen.getByText('No items.');
  screen.getByText(/The economic calendar is off on this server\./);
  expect(tabTexts()).toBe('Yesterday 0, Today 0, Tomorrow 0');
});

test('a server that says nothing of its calendar is not said to have none', () => {
  jest.useFakeTimers();
  page.state({ meta: { calendar: undefined } });
  render(<CalendarPage />);
  pass(1700);
  screen.getByText('No items.');
  expect(document.body.textContent).not.toContain('switched off');
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

test('a stream that can not be had says so in the place of the table', async () => {
  render(<CalendarPage />);
  page.say({ type: 'connection', connection: 'disconnected' });
  await screen.findByText(/The market data stream can’t be reached/);
  expect(isLoading()).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
});
