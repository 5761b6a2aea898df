import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  anEvent,
  type CalendarScreen,
  openCalendar,
  rowOf,
  showCalendar,
} from '../../../support/calendarScreen.tsx';
import { findings } from '../../../support/axe.ts';

type Answers = NonNullable<Parameters<typeof openCalendar>[0]>;

const GET = 'GET /api/calendar/events/jobs/history';
const measured = (change: number) => ({ state: 'measured', change, up: 31, down: 15, counted: 50 });
const SHUT = { state: 'shut', change: null, up: 0, down: 0, counted: 0 };
const surprise = (difference: number, sigma: number | null, side: string) => ({
  ...{ difference, sigma, side },
  earlier: sigma === null ? 2 : 9,
});
const release = (date: string, more: Record<string, unknown> = {}) => ({
  time: `${date}T00:30:00Z`,
  ...{ actual: 32, consensus: 20, previous: 10, corrected: null, potency: 'K' },
  surprise: surprise(12, 1.4, 'better'),
  ...{ after5: measured(0.123), after30: measured(-0.2), stock5: null, stock30: null },
  ...more,
});
const HISTORY = {
  releases: [
    release('2026-11-19'),
    release('2026-10-22', {
      corrected: 30,
      after5: SHUT,
      after30: SHUT,
      surprise: surprise(-3, -0.4, 'worse'),
    }),
    release('2026-09-17', { consensus: null, surprise: null, after30: { ...SHUT, state: 'blind' } }),
  ],
  remembered: 11,
  unit: null,
  averages: [
    {
      of: 'all',
      after5: { mean: 0.1, cases: 2 },
      after30: { mean: -0.2, cases: 1 },
      stock5: null,
      stock30: null,
    },
  ],
  symbol: null,
  simulated: true,
  note: null,
};

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
});
afterEach(() => page.close());

async function open(answer: Answers[string]) {
  page = openCalendar({ [GET]: answer });
  const speech = anEvent('speech', -20, { isSpeech: true });
  await showCalendar(page, { events: [anEvent('jobs', -30, { actual: 32, consensus: 20 }), speech] });
}
const openRow = async (id = 'jobs') => {
  await userEvent.click(within(rowOf(id)).getByRole('button'));
  return within(screen.getByRole('region', { name: id }));
};

describe('earlier figures', () => {
  test('stand in the opened row as a picture and a table, with the cases beside each average', async () => {
    await open({ body: HISTORY });
    const panel = await openRow();
    const table = await panel.findByRole('table', { name: 'Earlier figures and what the market did' });
    const rows = within(table).getAllByRole('row').slice(1);
    const cells = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
    expect(within(rows[0] as HTMLElement).getByRole('rowheader').textContent).toBe('19 Nov 2026');
    expect(cells[0]?.slice(0, 2)).toEqual(['32K', '20K']);
    expect(cells[0]?.[2]).toContain('+12K +1.4 σ');
    expect(cells[0]?.slice(3)).toEqual([
      expect.stringContaining('+0.12 %'),
      expect.stringContaining('−0.20 %'),
      '31 up, 15 down of 50',
    ]);
    expect(cells[1]?.[0]).toBe('32K later corrected to 30K');
    expect(cells[1]?.slice(3)).toEqual(['market shut', 'market shut', '–']);
    expect(cells[2]?.slice(2, 5)).toEqual(['–', expect.stringContaining('+0.12 %'), 'no prices']);
    const picture = panel.getByRole('img', { name: /^Surprises and the market 30 minutes later/ });
    expect(picture.getAttribute('aria-label')).toContain(
      '17 Sept 2026: No consensus was known; market no prices. 22 Oct 2026: Worse than consensus',
    );
    panel.getByText('Market +5 min +0.10 % (2 cases), +30 min −0.20 % (1 case)');
    panel.getByText(/The last 3 of 11 remembered.*These figures are simulated\./);
    expect(await findings(document.body)).toEqual([]);
  });

  test('that nobody remembers yet are told in a sentence', async () => {
    await open({ body: { ...HISTORY, releases: [], averages: [], remembered: 0 } });
    await (await openRow()).findByText(/^Nothing is remembered yet/);
  });

  test('show of a release whose half hour is not over what is known by then', async () => {
    const pending = { ...SHUT, state: 'pending' };
    await open({ body: { ...HISTORY, releases: [release('2026-11-19', { after30: pending })] } });
    const panel = await openRow();
    const table = await panel.findByRole('table');
    const [row] = within(table).getAllByRole('row').slice(1);
    const cells = within(row as HTMLElement).getAllByRole('cell');
    expect(cells.slice(3, 5).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('+0.12 %'),
      'not yet',
    ]);
    // The picture is of half an hour: five minutes are none.
    expect(panel.getByRole('img').querySelectorAll('.history-unknown')).toHaveLength(1);
  });

  test('that could not be loaded say so and can be asked for again', async () => {
    await open({ status: 503, body: { error: 'The server is busy. Try again shortly.' } });
    const panel = await openRow();
    await panel.findByText('The server is busy. Try again shortly.');
    page.server.answers[GET] = { body: HISTORY };
    await userEvent.click(panel.getByRole('button', { name: 'Retry' }));
    await panel.findByRole('table');
  });

  test('are not asked for of a speech, nor shown where the server has none', async () => {
    await open({ status: 404, body: { error: 'Not found' } });
    await openRow('speech');
    expect(page.server.calls.filter(({ path }) => path.endsWith('/history'))).toEqual([]);
    const panel = await openRow();
    await waitFor(() => expect(panel.queryByText('Earlier figures')).toBeNull());
  });

  test('stand beside those of the stock that was chosen', async () => {
    localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney', stock: 'BHP' }));
    const stock30 = { state: 'measured', change: 1.5 };
    await open({ body: { ...HISTORY, symbol: 'BHP', releases: [release('2026-11-19', { stock30 })] } });
    const panel = await openRow();
    await panel.findByRole('columnheader', { name: 'BHP +30 min' });
    panel.getByText('+1.50 %');
    await userEvent.click(panel.getByRole('button', { name: 'Without BHP' }));
    expect(JSON.parse(localStorage.getItem('bellbird.calendar') ?? '{}')).toMatchObject({ stock: null });
    expect(document.activeElement).toBe(panel.getByRole('combobox', { name: 'Also show a stock' }));
  });
});
