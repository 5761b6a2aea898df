import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import {
  anEvent,
  type CalendarScreen,
  NOW,
  openCalendar,
  rowOf,
  showCalendar,
  SIMULATED,
} from '../../../support/calendarScreen.tsx';
import { findings } from '../../../support/axe.ts';

type Answers = NonNullable<Parameters<typeof openCalendar>[0]>;

let page: CalendarScreen;
beforeEach(() => {
  localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
});
afterEach(() => page.close());

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
const openRow = async (id: string) => {
  await userEvent.click(within(rowOf(id)).getByRole('button'));
  return within(screen.getByRole('region', { name: id }));
};
const toggle = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name });
const before = () => toggle(/^Alert me 5 minutes before/);
const figure = () => toggle(/^Alert me when the figure is out/);
const sent = () => page.server.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

describe('a reminder', () => {
  test('is set before an event and for its figure', async () => {
    await open();
    await openRow('cpi');
    expect([before().checked, figure().checked]).toEqual([false, false]);
    await userEvent.click(before());
    await userEvent.click(figure());
    await waitFor(() =>
      expect(sent()).toEqual([
        { before: true, figure: false },
        { before: true, figure: true },
      ]),
    );
    expect(screen.getByRole('button', { name: 'Reminders of cpi, set' })).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
  });

  test('that was set earlier is shown', async () => {
    const body = { reminders: [{ eventId: 'cpi', before: false, figure: true }, { nonsense: 1 }, null] };
    await open({ 'GET /api/calendar/reminders': { body } });
    await screen.findByRole('button', { name: 'Reminders of cpi, set' });
    await openRow('cpi');
    expect([before().checked, figure().checked]).toEqual([false, true]);
  });

  test('that is refused is taken back, with the reason', async () => {
    const error = 'You have 50 reminders already. Remove one first.';
    await open({ [PUT]: { status: 400, body: { error } } });
    await openRow('cpi');
    await userEvent.click(before());
    await screen.findByText(error);
    expect(before().checked).toBe(false);
    expect(rowOf('cpi').querySelector('.bell-set') === null).toBe(true);
  });

  test('that can not be sent is taken back to what is saved', async () => {
    const body = { reminders: [{ eventId: 'cpi', before: true, figure: false }] };
    await open({ 'GET /api/calendar/reminders': { body }, [PUT]: 'offline' });
    await openRow('cpi');
    await waitFor(() => expect(before().checked).toBe(true));
    await userEvent.click(figure());
    await screen.findByText('Network error. Try again.');
    expect([before().checked, figure().checked]).toEqual([true, false]);
  });

  test('shows what was chosen last, however slow the answers are', async () => {
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
    // One is on its way; the last wish follows it.
    expect(sent()).toEqual([{ before: true, figure: false }]);
    await act(async () => waiting.shift()?.());
    await waitFor(() => expect(waiting).toHaveLength(1));
    await act(async () => waiting.shift()?.());
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent().at(-1)).toEqual({ before: true, figure: true });
    expect([before().checked, figure().checked]).toEqual([true, true]);
  });

  test('without a chat is kept, and says where to link one', async () => {
    const note = 'No chat or device gets reminders yet: add one in Settings.';
    await open({
      'GET /api/settings/linked-chats': { body: [] },
      [PUT]: { body: { eventId: 'cpi', before: true, figure: false, note } },
    });
    const panel = await openRow('cpi');
    const link = await panel.findByRole('link', { name: 'Settings' });
    expect(link.getAttribute('href')).toBe('#/settings');
    expect(link.parentElement?.textContent).toBe(note);
    await userEvent.click(before());
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(before().checked).toBe(true);
    expect(before().getAttribute('aria-describedby')).toBe(link.parentElement?.id ?? '');
  });

  test('goes to a device where no chat is linked, and says nothing then', async () => {
    const phone = { id: 1, name: 'Phone', created_at: '2026-11-20T00:00:00Z', status: 'registered' };
    await open({
      'GET /api/settings/linked-chats': { body: [] },
      'GET /api/devices': { body: { publicKey: 'k', devices: [phone], adminMessages: true } },
      [PUT]: accept,
    });
    const panel = await openRow('cpi');
    await userEvent.click(before());
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(panel.queryByRole('link', { name: 'Settings' })).toBeNull();
  });

  test('is asked for with the id as one part of the address', async () => {
    await open({ 'PUT /api/calendar/reminders/odd%2Fid%3F': accept });
    await openRow('odd/id?');
    await userEvent.click(before());
    await screen.findByRole('button', { name: 'Reminders of odd/id?, set' });
  });
});

describe('what is offered', () => {
  test('depends on what is still to come', async () => {
    await open();
    const past = await openRow('past');
    past.getByText('This event is over.');
    expect(screen.queryAllByRole('switch')).toHaveLength(0);
    await openRow('holiday');
    expect(screen.queryAllByRole('switch')).toHaveLength(0);
    await openRow('speech');
    expect(screen.getAllByRole('switch')).toHaveLength(1);
    expect(screen.queryAllByRole('switch', { name: /figure/ })).toHaveLength(0);
  });

  test('is a figure that is late, and no more what was before the event', async () => {
    const body = { reminders: [{ eventId: 'late', before: true, figure: true }] };
    await open({
      'GET /api/calendar/reminders': { body },
      'PUT /api/calendar/reminders/late': accept,
    });
    await openRow('late');
    expect(screen.getAllByRole('switch')).toHaveLength(1);
    await waitFor(() => expect(figure().checked).toBe(true));
    await userEvent.click(figure());
    await waitFor(() => expect(sent()).toEqual([{ before: false, figure: false }]));
  });

  test('ends when the event happens', async () => {
    await open();
    await openRow('speech');
    await page.at(NOW + 41 * 60_000);
    await waitFor(() => expect(screen.queryAllByRole('switch')).toHaveLength(0));
    screen.getByText('This event is over.');
  });

  test('is no figure where the source has none', async () => {
    await open();
    page.state({ events: EVENTS, meta: { calendar: { ...SIMULATED, label: 'ForexFactory' } } });
    await openRow('cpi');
    expect(screen.getAllByRole('switch')).toHaveLength(1);
  });
});

describe('reminders that could not be loaded', () => {
  test('say so and can be asked for again', async () => {
    await open({ 'GET /api/calendar/reminders': { status: 500, body: { error: 'Something went wrong.' } } });
    const panel = await openRow('cpi');
    await panel.findByText('Something went wrong.');
    page.server.answers['GET /api/calendar/reminders'] = {
      body: { reminders: [{ eventId: 'cpi', before: true, figure: false }] },
    };
    await userEvent.click(panel.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(before().checked).toBe(true));
  });

  test('are loaded anew for whoever signs in next', async () => {
    const reminders = [{ eventId: 'cpi', before: true, figure: false }];
    await open({ 'GET /api/calendar/reminders': { body: { reminders } } });
    await screen.findByRole('button', { name: 'Reminders of cpi, set' });
    page.server.answers['GET /api/calendar/reminders'] = { body: { reminders: [] } };
    act(() => endSession());
    await screen.findByRole('button', { name: 'Reminders of cpi' });
    act(() => startSession({ accessToken: 'another', accessLevel: 1 }));
    await waitFor(() => expect(page.server.to('/api/calendar/reminders')).toHaveLength(2));
    expect(rowOf('cpi').querySelector('.bell-set') === null).toBe(true);
  });
});
