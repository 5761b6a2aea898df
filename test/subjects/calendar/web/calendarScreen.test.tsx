import { afterEach, beforeEach, describe, expect, test, spyOn } from 'bun:test';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { findings } from '../../../support/axe.ts';
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
  test('has the columns and tabs of the specification', async () => {
    await show();
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      'Time',
      'Ctry',
      'Cur',
      'Event',
      'Period',
      'Actual',
      'Consensus',
      'Previous',
      'Impact',
      'Type',
    ]);
    expect(tabTexts()).toBe('Yesterday 1, Today 5, Tomorrow 1');
  });

  test('lists the day in its order, all-day events first', async () => {
    await show();
    expect(shownIds()).toEqual(['holiday', 'cpi', 'speech', 'trade', 'late']);
  });

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

  test('shows EMU with the flag of the European Union', async () => {
    await show();
    const flag = rowOf('trade').querySelector('svg.flag');
    expect(flag?.getAttribute('data-country')).toBe('EMU');
    expect(flag?.querySelectorAll('circle')).toHaveLength(12);
    expect(cellsOf('trade')[1]).toBe('EMU');
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

  test('moves on when an event happens', async () => {
    await show();
    await page.at(NOW + 61 * 60_000);
    await waitFor(() => expect(rowOf('trade').dataset.past).toBe('true'));
    expect(rowOf('late').dataset.next).toBe('true');
    expect(rowOf('late').textContent).toContain('Next in 3 h 59 min');
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

  test('are kept', async () => {
    await show();
    await userEvent.selectOptions(screen.getByLabelText('Currency'), 'EUR');
    page.close();
    page = openCalendar();
    await show();
    expect(screen.getByLabelText<HTMLSelectElement>('Currency').value).toBe('EUR');
    expect(shownIds()).toEqual(['trade']);
  });

  test('that are no choices count as none', async () => {
    const odd = { zone: 'Nowhere/Land', currency: 'XXX', impact: 7 };
    localStorage.setItem('bellbird.calendar', JSON.stringify(odd));
    await show();
    expect(screen.getByLabelText<HTMLSelectElement>('Currency').value).toBe('ALL');
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(screen.getByLabelText<HTMLInputElement>('Time zone').value).toBe(timeZone.replaceAll('_', ' '));
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

describe('the time zone', () => {
  test('is the first that answers to what was typed, by Enter; nothing typed, a blank and no zone at all change nothing', async () => {
    await show();
    const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
    const errors = spyOn(console, 'error');
    for (const typed of ['', ' ', 'no such place']) {
      await userEvent.click(box);
      if (typed !== '') await userEvent.keyboard(typed);
      await userEvent.keyboard('{Enter}');
      act(() => box.blur());
      expect(box.value).toBe('Australia/Sydney');
    }
    expect(errors).not.toHaveBeenCalled();
    errors.mockRestore();
    await userEvent.click(box);
    await userEvent.keyboard('honol{Enter}');
    expect(box.value).toBe('Pacific/Honolulu');
  });
});

describe('the head', () => {
  test('opens a row by its button whatever text is marked, and by a click on it unless that ends the marking', async () => {
    await show();
    const row = rowOf('trade');
    const button = within(row).getByRole('button');
    const isOpen = () => button.getAttribute('aria-expanded');
    window.getSelection()?.selectAllChildren(screen.getByRole('heading', { level: 1 }));
    fireEvent.click(within(row).getByText('trade'));
    expect(isOpen()).toBe('false');
    fireEvent.click(button);
    expect(isOpen()).toBe('true');
    window.getSelection()?.removeAllRanges();
    fireEvent.click(within(row).getByText('trade'));
    expect(isOpen()).toBe('false');
  });

  test('names the source, and that one of them has no figures', async () => {
    await show();
    screen.getByText('Simulated');
    page.state({ events: EVENTS, meta: { calendar: { ...SIMULATED, label: 'ForexFactory' } } });
    screen.getByText('ForexFactory: no actual figures');
    await userEvent.click(within(rowOf('trade')).getByRole('button'));
    screen.getByText('This source has no actual figures.');
  });

  test('says live or reconnecting…', async () => {
    await show();
    screen.getByText('live');
    page.say({ type: 'connection', connection: 'reconnecting' });
    screen.getByText('reconnecting…');
  });
});
