import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
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
  tab,
  tabTexts,
  NOW,
  SIMULATED,
  rows,
} from '#support/calendarScreen.tsx';
import { CalendarPage } from '#subjects/calendar/web/CalendarPage.tsx';
import { PATIENT } from '#support/scannerScreen.tsx';
import { ScannerStrip } from '#web/app/ScannerStrip.tsx';

// Loaded ahead so that no test waits for it.
await import('#subjects/calendar/web/shared/SoonNote.tsx');

const SYDNEY = { zone: 'Australia/Sydney' };
const EVENTS = [
  anEvent('holiday', '2026-11-22T00:00:00Z', { isAllDay: true, isHoliday: true, name: 'Bank holiday' }),
  anEvent('late', 300, { currencyCode: 'USD', countryCode: 'US', volatility: 'HIGH', isTentative: true }),
  anEvent('cpi', -30, {
    actual: 3.25,
    consensus: 3,
    previous: 2.84,
    revised: 2.9,
    unit: '%',
    volatility: 'HIGH',
    isBetterThanExpected: false,
    periodDateUtc: '2026-10-01T00:00:00Z',
    periodType: 'MONTH',
  }),
  anEvent('trade', 60, { consensus: 1.5, unit: '$', potency: 'B', countryCode: 'EMU', currencyCode: 'EUR' }),
  anEvent('speech', 60, { isSpeech: true, volatility: 'MEDIUM' }),
  anEvent('before', -20 * 60, {}),
  anEvent('after', 20 * 60, { isReport: true }),
];

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify(SYDNEY));
  page = openCalendar();
});
afterEach(() => {
  jest.useRealTimers();
  page.close();
});

const show = () => showCalendar(page, { events: EVENTS });

describe('the table', () => {
  test('shows figures by unit and size, their meaning in words, and revisions', async () => {
    await show();
    expect(cellsOf('cpi')).toEqual([
      '10:30',
      'AU',
      'AUD',
      'cpi',
      'Oct 2026',
      '3.3%worse',
      '3.0%',
      '2.9%revised from 2.8% rev.',
      'HIGH',
      'Data',
    ]);
    expect(rowOf('cpi').querySelector('.trend')?.className).toContain('is-down');
    expect(cellsOf('trade').slice(5, 8)).toEqual(['–', '$1.5B', '–']);
    expect(cellsOf('holiday').slice(0, 4)).toEqual(['All day', 'AU', 'AUD', 'Bank holiday']);
    expect(cellsOf('holiday').at(-1)).toBe('Holiday');
    expect(cellsOf('speech').at(-1)).toBe('Speech');
    expect(cellsOf('late').at(0)).toContain('about 16:00');
    expect(cellsOf('late').at(-1)).toBe('Data, tentative');
  });

  test('mutes a past event only with its figure, and shows how long it is awaited', async () => {
    await showCalendar(page, { events: [anEvent('jobs', -12), anEvent('talk', -12, { isSpeech: true })] });
    expect(cellsOf('jobs')[5]).toBe('awaited 12 min');
    expect([rowOf('jobs').dataset.past, rowOf('talk').dataset.past]).toEqual([undefined, 'true']);
    await page.tick({ jobs: { actual: 3 } });
    expect([cellsOf('jobs')[5], rowOf('jobs').dataset.past]).toEqual(['3', 'true']);
  });

  test('mutes past events, and marks the next one with its countdown', async () => {
    await show();
    const past = shownIds().filter((id) => rowOf(id).dataset.past !== undefined);
    expect(past).toEqual(['cpi']);
    const next = shownIds().filter((id) => rowOf(id).dataset.next !== undefined);
    expect(next).toEqual(['speech', 'trade']);
    expect(within(rowOf('speech')).getByText(/^Next in/).textContent).toBe('Next in 1 h 00 min');
    expect(within(rowOf('trade')).getByText(/^Next/).textContent).toBe('Next');
  });

  test('has no accessibility violations, opened rows included', async () => {
    await show();
    await userEvent.click(within(rowOf('trade')).getByText('trade'));
    expect(await results(document.body)).toEqual([]);
  });
});

describe('the choices', () => {
  test('are those of the specification, and change the table and the counts', async () => {
    await show();
    const currency = screen.getByLabelText<HTMLSelectElement>('Currency');
    const options = (select: HTMLSelectElement) => [...select.options].map((one) => one.text);
    expect(options(currency)).toEqual(['ALL', 'USD', 'EUR', 'GBP', 'JPY', 'AUD', 'NZD', 'CAD']);
    const impact = screen.getByLabelText<HTMLSelectElement>('Impact');
    expect(options(impact)).toEqual(['ALL', 'HIGH', 'MEDIUM', 'LOW']);
    await userEvent.selectOptions(currency, 'AUD');
    expect(tabTexts()).toBe('Yesterday 1, Today 3, Tomorrow 1');
    await userEvent.selectOptions(impact, 'HIGH');
    expect(shownIds()).toEqual(['cpi']);
    expect(tabTexts()).toBe('Yesterday 0, Today 1, Tomorrow 0');
  });

  test('can hide everything: the table shows that, and how to undo it', async () => {
    await show();
    await userEvent.selectOptions(screen.getByLabelText('Currency'), 'CAD');
    screen.getByText('No items.');
    screen.getByText('Sunday 22 November 2026 · 5 events hidden by your filters');
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(shownIds()).toHaveLength(5);
  });

  test('move events into other days with the time zone', async () => {
    await show();
    const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
    expect(box.value).toBe('Australia/Sydney');
    screen.getByText('UTC+11:00');
    await userEvent.click(box);
    await userEvent.clear(box);
    await userEvent.type(box, 'honolulu{Enter}');
    await waitFor(() => expect(box.value).toBe('Pacific/Honolulu'));
    screen.getByText('UTC−10:00');
    // There it is still 14:00 on Saturday; a holiday keeps its date.
    expect(tabTexts()).toBe('Yesterday 1, Today 4, Tomorrow 2');
    expect(cellsOf('cpi')[0]).toBe('13:30');
    expect(JSON.parse(localStorage.getItem('bellbird.calendar') ?? '{}').zone).toBe('Pacific/Honolulu');
  });

  test('follow another window', async () => {
    await show();
    localStorage.setItem('bellbird.calendar', JSON.stringify({ ...SYDNEY, impact: 'HIGH' }));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'bellbird.calendar' })));
    expect(shownIds()).toEqual(['cpi', 'late']);
  });
});

describe('the keyboard', () => {
  test('moves through the days with the arrows', async () => {
    await show();
    act(() => tab('Today').focus());
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(tab('Tomorrow'));
    expect(shownIds()).toEqual(['after']);
    await userEvent.keyboard('{ArrowRight}');
    expect(shownIds()).toEqual(['before']);
    await userEvent.keyboard('{End}{ArrowLeft}');
    expect(tab('Today').getAttribute('aria-selected')).toBe('true');
    expect(screen.getAllByRole('tab').filter((one) => one.tabIndex === 0)).toHaveLength(1);
  });

  test('moves to the time zone with /, to the next event with j, and from there with k and Enter', async () => {
    await show();
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Time zone' }));
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.keyboard('j{Enter}');
    expect(document.activeElement).toBe(rowOf('speech'));
    screen.getByRole('region', { name: 'speech' });
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'speech' }) === null).toBe(true);
    await userEvent.keyboard('k');
    expect(document.activeElement).toBe(rowOf('cpi'));
  });
});

const HOUR_MS = 3_600_000;
const cpi = anEvent('cpi', -1, { consensus: 3, unit: '%', isBetterThanExpected: true });

describe('a new figure', () => {
  test('flashes briefly in its direction, and nothing else does', async () => {
    await showCalendar(page, { events: [cpi, anEvent('gdp', -1)] });
    await page.tick({ cpi: { actual: 3.4 } });
    const flashing = () => [...document.querySelectorAll('.is-new')];
    expect(flashing()).toEqual([rowOf('cpi').querySelector('.cal-actual') as Element]);
    expect(cellsOf('cpi')[5]).toBe('3.4%better');
    await waitFor(() => expect(flashing()).toEqual([]), PATIENT);
  });

  test('is announced to a screen reader, with its meaning', async () => {
    await showCalendar(page, { events: [cpi, anEvent('gdp', -1)] });
    await page.tick({ cpi: { actual: 3.4 }, gdp: { actual: 1 } });
    await screen.findByText('AU cpi: 3.4%, better than consensus. AU gdp: 1.', {}, PATIENT);
  });
});

describe('the day', () => {
  test('changes at midnight of the zone while the page is open', async () => {
    const events = [anEvent('evening', 11 * 60), anEvent('night', 14 * 60), anEvent('next', 38 * 60)];
    await showCalendar(page, { events });
    expect(tabTexts()).toBe('Yesterday 0, Today 1, Tomorrow 1');
    // Real time passes in between.
    await page.at(NOW + 13 * HOUR_MS - 60_000);
    expect(tabTexts()).toBe('Yesterday 0, Today 1, Tomorrow 1');
    await page.at(NOW + 13 * HOUR_MS);
    await waitFor(() => expect(tabTexts()).toBe('Yesterday 1, Today 1, Tomorrow 1'));
    expect(shownIds()).toEqual(['night']);
    screen.getByText('Mon 23 Nov');
  });

  test('follows the server’s clock if the calendar does not use the market’s', async () => {
    const calendar = { ...SIMULATED, label: 'FXStreet', onMarketClock: false };
    // The market plays a Friday; the server has Sunday 11:00, whatever this machine’s clock shows.
    const clockOffsetMs = -48 * HOUR_MS;
    const meta = { calendar, marketTime: NOW + clockOffsetMs, clockOffsetMs };
    await showCalendar(page, { events: [anEvent('past', -1, { actual: 1 }), anEvent('soon', 1)], meta });
    expect(tabTexts()).toBe('Yesterday 0, Today 2, Tomorrow 0');
    expect(rowOf('soon').dataset.next).toBe('true');
    expect(rowOf('past').dataset.past).toBe('true');
  });

  test('shows a moved or withdrawn event correctly', async () => {
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

describe('the states of the page', () => {
  const isLoading = () => screen.queryByRole('status', { name: 'Loading the calendar…' }) !== null;
  const unwell = { ...SIMULATED, label: 'FXStreet', healthy: false, problem: 'FXStreet does not answer.' };

  test('show grey rows and no counts before the first data', () => {
    render(<CalendarPage />);
    expect(isLoading()).toBe(true);
    expect(tabTexts()).toBe('Yesterday –, Today –, Tomorrow –');
    screen.getByText('reconnecting…');
  });

  test('wait for a source that was not read yet, and show an empty table for one without events', () => {
    jest.useFakeTimers();
    const showAfter = (lastUpdate: number | null): void => {
      page.state({ meta: { calendar: { ...SIMULATED, lastUpdate } } });
      render(<CalendarPage />);
      act(() => void jest.advanceTimersByTime(1700));
    };
    showAfter(null);
    expect(isLoading()).toBe(true);
    cleanup();
    showAfter(SIMULATED.lastUpdate);
    expect(isLoading()).toBe(false);
    screen.getByText('No items.');
  });

  test('explain a source that fails, without known events', async () => {
    page.state({ meta: { calendar: { ...unwell, lastUpdate: null } } });
    render(<CalendarPage />);
    await screen.findByText('The events have not arrived yet.');
    screen.getByText('FXStreet does not answer. Trying again.');
    expect(tabTexts()).toBe('Yesterday –, Today –, Tomorrow –');
  });

  test('keep known events with their age when a source starts to fail', async () => {
    await showCalendar(page, { events: [anEvent('cpi', 5)], meta: { calendar: unwell } });
    expect(rows()).toHaveLength(1);
    screen.getByText(
      'FXStreet does not answer. Shown as of Sunday 22 November 11:00 (Australia/Sydney). Trying again.',
    );
  });

  test('keep known events when the stream is lost, and allow a retry', async () => {
    await showCalendar(page, { events: [anEvent('cpi', 5)] });
    page.receive({ type: 'connection', connection: 'reconnecting' });
    await screen.findByText(/Connection lost: new figures/);
    screen.getByText('reconnecting…');
    expect(rows()).toHaveLength(1);
    screen.getByRole('button', { name: 'Retry' });
    page.state({ events: [anEvent('cpi', 5)], meta: { marketTime: NOW } });
    await waitFor(() => expect(screen.queryByText(/Connection lost: new figures/) === null).toBe(true));
  });
});

describe('the note of upcoming events', () => {
  const rate = anEvent('Rate decision', 24, {
    volatility: 'HIGH',
    consensus: 3.6,
    previous: 3.85,
    unit: '%',
  });
  const EVENTS = [
    rate,
    anEvent('Statement', 24, { volatility: 'HIGH', isReport: true }),
    anEvent('Not much', 5, { volatility: 'MEDIUM' }),
  ];
  const note = () => document.querySelector<HTMLElement>('.soon-note');

  test('names the events of HIGH impact for AUD in the next hour, and links to the calendar', async () => {
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
