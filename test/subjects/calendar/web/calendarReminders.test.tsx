import { describe, afterEach, beforeEach, expect, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { anEvent, type CalendarScreen, openCalendar, rowOf, showCalendar } from '#support/calendarScreen.tsx';
import { results } from '#support/axe.ts';

type Answers = NonNullable<Parameters<typeof openCalendar>[0]>;

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
});
afterEach(() => page.close());

const openRow = async (id: string) => {
  await userEvent.click(within(rowOf(id)).getByText(id));
  return within(screen.getByRole('region', { name: id }));
};

describe('reminders', () => {
  const EVENTS = [
    anEvent('past', -90, { actual: 1 }),
    anEvent('late', -10),
    anEvent('cpi', 30),
    anEvent('speech', 40, { isSpeech: true }),
    anEvent('holiday', '2026-11-22T00:00:00Z', { isAllDay: true }),
    anEvent('odd/id?', 50),
  ];
  const PUT = 'PUT /api/calendar/reminders/cpi';
  const accept = ({ path, body }: { path: string; body: unknown }) => ({
    body: { eventId: decodeURIComponent(path.split('/').at(-1) ?? ''), note: null, ...(body as object) },
  });

  async function open(answers: Answers = {}) {
    page = openCalendar({ [PUT]: accept, ...answers });
    await showCalendar(page, { events: EVENTS });
  }
  const toggle = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name });
  const before = () => toggle(/^Alert me 5 minutes before/);
  const figure = () => toggle(/^Alert me when the figure is out/);
  const sent = () => page.server.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

  describe('a reminder', () => {
    test('is set by its bell, which then opens its choices; the message undoes or changes it', async () => {
      await open();
      const bell = () => within(rowOf('cpi')).getByRole('button');
      await userEvent.click(bell());
      expect(sent()).toEqual([{ before: true, figure: false }]);
      await screen.findByText('Reminder set for 5 minutes before cpi');
      await userEvent.click(screen.getByRole('button', { name: 'Change…' }));
      expect([before().checked, figure().checked]).toEqual([true, false]);
      await userEvent.click(figure());
      expect(await results(document.body)).toEqual([]);
      await userEvent.click(bell());
      expect(screen.queryByRole('region', { name: 'cpi' })).toBeNull();
      await userEvent.click(within(rowOf('late')).getByRole('button', { name: /^Alert me when/ }));
      await screen.findByText(/^The reminder was not saved|^late: /);
      expect(sent().slice(1)).toEqual([
        { before: true, figure: true },
        { before: false, figure: true },
      ]);
    });

    test('that is refused is reset, with the reason', async () => {
      const error = 'You have 50 reminders already. Remove one first.';
      await open({ [PUT]: { status: 400, body: { error } } });
      await openRow('cpi');
      await userEvent.click(before());
      await screen.findByText(error);
      expect(before().checked).toBe(false);
      expect(rowOf('cpi').querySelector('.bell-set') === null).toBe(true);
    });

    test('shows the last choice, however slow the answers are', async () => {
      const waiting: (() => void)[] = [];
      await open({
        [PUT]: async (call) => {
          await new Promise<void>((done) => waiting.push(done));
          return { body: { eventId: 'cpi', note: null, ...(call.body as object) } };
        },
      });
      await openRow('cpi');
      await userEvent.click(before());
      await userEvent.click(before());
      await userEvent.click(figure());
      await userEvent.click(before());
      // One is pending; the last choice follows it.
      expect(sent()).toEqual([{ before: true, figure: false }]);
      await act(async () => waiting.shift()?.());
      await waitFor(() => expect(waiting).toHaveLength(1));
      await act(async () => waiting.shift()?.());
      await waitFor(() => expect(sent()).toHaveLength(2));
      expect(sent().at(-1)).toEqual({ before: true, figure: true });
      expect([before().checked, figure().checked]).toEqual([true, true]);
    });

    test('without a chat is stored, with a link to add one', async () => {
      const note = 'No chat or device receives reminders yet. Add one in Settings.';
      await open({
        'GET /api/settings/linked-chats': { body: [] },
        [PUT]: { body: { eventId: 'cpi', before: true, figure: false, note } },
      });
      const panel = await openRow('cpi');
      const link = await panel.findByRole('link', { name: 'Settings' });
      expect(link.getAttribute('href')).toBe('#/settings/notifications');
      expect(link.parentElement?.textContent).toBe(note);
      await userEvent.click(before());
      await waitFor(() => expect(sent()).toHaveLength(1));
      expect(before().checked).toBe(true);
      expect(before().getAttribute('aria-describedby')).toBe(link.parentElement?.id ?? '');
    });
  });

  describe('reminders that could not be loaded', () => {
    test('show an error and can be reloaded', async () => {
      await open({
        'GET /api/calendar/reminders': { status: 500, body: { error: 'Something went wrong.' } },
      });
      const panel = await openRow('cpi');
      await panel.findByText('Something went wrong.');
      page.server.answers['GET /api/calendar/reminders'] = {
        body: { reminders: [{ eventId: 'cpi', before: true, figure: false }] },
      };
      await userEvent.click(panel.getByRole('button', { name: 'Retry' }));
      await waitFor(() => expect(before().checked).toBe(true));
    });

    test('are reloaded for the next user', async () => {
      const reminders = [{ eventId: 'cpi', before: true, figure: false }];
      await open({ 'GET /api/calendar/reminders': { body: { reminders } } });
      await screen.findByRole('button', { name: 'Reminders of cpi, set' });
      page.server.answers['GET /api/calendar/reminders'] = { body: { reminders: [] } };
      act(() => endSession());
      await screen.findByRole('button', { name: 'Alert me 5 minutes before: cpi' });
      act(() => startSession({ accessToken: 'another', accessLevel: 1 }));
      await waitFor(() => expect(page.server.to('/api/calendar/reminders')).toHaveLength(2));
      expect(rowOf('cpi').querySelector('.bell-set') === null).toBe(true);
    });
  });
});

describe('earlier figures', () => {
  const GET = 'GET /api/calendar/events/jobs/history';
  const measured = (change: number) => ({ state: 'measured', change, up: 31, down: 15, counted: 50 });
  const SHUT = { state: 'shut', change: null, up: 0, down: 0, counted: 0 };
  const surprise = (difference: number, sigma: number | null, side: string) => ({
    difference,
    sigma,
    side,
    earlier: sigma === null ? 2 : 9,
  });
  const release = (date: string, more: Record<string, unknown> = {}) => ({
    time: `${date}T00:30:00Z`,
    actual: 32,
    consensus: 20,
    previous: 10,
    corrected: null,
    potency: 'K',
    surprise: surprise(12, 1.4, 'better'),
    after5: measured(0.123),
    after30: measured(-0.2),
    stock5: null,
    stock30: null,
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

  async function open(answer: Answers[string]) {
    page = openCalendar({ [GET]: answer });
    const speech = anEvent('speech', -20, { isSpeech: true });
    await showCalendar(page, { events: [anEvent('jobs', -30, { actual: 32, consensus: 20 }), speech] });
  }

  test('are in the opened row as a picture and a table, with the cases of each average', async () => {
    await open({ body: HISTORY });
    const panel = await openRow('jobs');
    const table = await panel.findByRole('table', { name: 'Earlier figures and market reactions' });
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
      expect.stringContaining('+0.12%'),
      expect.stringContaining('−0.20%'),
      '31 up, 15 down of 50',
    ]);
    expect(cells[1]?.[0]).toBe('32K later corrected to 30K');
    expect(cells[1]?.slice(3)).toEqual(['market closed', 'market closed', '–']);
    expect(cells[2]?.slice(2, 5)).toEqual(['–', expect.stringContaining('+0.12%'), 'no prices']);
    const picture = panel.getByRole('img', { name: /^Surprises and the market 30 minutes later/ });
    expect(picture.getAttribute('aria-label')).toContain(
      '17 Sept 2026: There was no consensus; market: no prices. 22 Oct 2026: Worse than consensus',
    );
    panel.getByText('Market +5 min +0.10% (2 cases), +30 min −0.20% (1 case)');
    panel.getByText(/The last 3 of 11 recorded.*These figures are simulated\./);
    expect(await results(document.body)).toEqual([]);
  });

  test('are not requested for a speech, and hidden if the server has none', async () => {
    await open({ status: 404, body: { error: 'Not found' } });
    await openRow('speech');
    expect(page.server.calls.filter(({ path }) => path.endsWith('/history'))).toEqual([]);
    const panel = await openRow('jobs');
    await waitFor(() => expect(panel.queryByText('Earlier figures')).toBeNull());
  });
});
