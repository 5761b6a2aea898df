import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { findings } from '../../../support/axe.ts';
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
} from '../../../support/calendarScreen.tsx';

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
afterEach(() => page.close());

const show = () => showCalendar(page, { events: EVENTS });

describe('the table', () => {
  test('writes figures by unit and size, what they mean in words, and what was revised', async () => {
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

  test('mutes what is over, and marks what comes next with its countdown', async () => {
    await show();
    const past = shownIds().filter((id) => rowOf(id).dataset.past !== undefined);
    expect(past).toEqual(['cpi']);
    const next = shownIds().filter((id) => rowOf(id).dataset.next !== undefined);
    expect(next).toEqual(['speech', 'trade']);
    expect(within(rowOf('speech')).getByText(/^Next in/).textContent).toBe('Next in 1 h 00 min');
    expect(within(rowOf('trade')).getByText(/^Next/).textContent).toBe('Next');
  });

  test('has no finding of axe, opened rows included', async () => {
    await show();
    await userEvent.click(within(rowOf('trade')).getByRole('button'));
    expect(await findings(document.body)).toEqual([]);
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

  test('leave nothing: the table says so, what is hidden, and how to see it', async () => {
    await show();
    await userEvent.selectOptions(screen.getByLabelText('Currency'), 'CAD');
    screen.getByText('No items.');
    screen.getByText('Sunday 22 November 2026 · 5 events hidden by your choices');
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
  test('goes through the days with the arrows', async () => {
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

  test('goes to the time zone with / and through the rows with j, k and Enter', async () => {
    await show();
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Time zone' }));
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.keyboard('j');
    expect(document.activeElement).toBe(rowOf('holiday'));
    await userEvent.keyboard('jj{Enter}');
    expect(document.activeElement).toBe(rowOf('speech'));
    screen.getByRole('region', { name: 'speech' });
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'speech' }) === null).toBe(true);
    await userEvent.keyboard('k');
    expect(document.activeElement).toBe(rowOf('cpi'));
  });
});
