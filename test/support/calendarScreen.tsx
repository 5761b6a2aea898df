import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { type CalendarEvent, emptyEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { EventPatch, StreamMeta } from '#market/rules/stream.ts';
import { CalendarPage } from '#subjects/calendar/web/CalendarPage.tsx';
import { startLive } from '#web/live/market.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { Connection, MarketMeta, ToWindow } from '#web/live/stream/protocol.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { fakeApi } from './fakeApi.ts';
import { aSnapshot } from './market.ts';

// Loaded in advance, so no test waits for the code of the box.
await import('#subjects/calendar/web/parts/TimeZoneSelect.tsx');

/** 11:00 on Sunday 22 November in Sydney. */
export const NOW = Date.parse('2026-11-22T00:00:00Z');

export const SIMULATED = {
  label: 'Simulated',
  healthy: true,
  problem: null,
  lastUpdate: NOW,
  onMarketClock: true,
} as const satisfies StreamMeta['calendar'];

/** @param at ISO 8601, or minutes from 11:00 on Sunday in Sydney */
export const anEvent = (
  id: string,
  at: string | number,
  change: Partial<CalendarEvent> = {},
): CalendarEvent => ({
  ...emptyEvent(id),
  dateUtc: typeof at === 'string' ? at : new Date(NOW + at * 60_000).toISOString(),
  countryCode: 'AU',
  currencyCode: 'AUD',
  name: id,
  volatility: 'LOW',
  ...change,
});

type Shown = { events?: readonly CalendarEvent[]; meta?: Partial<StreamMeta> };

const byId = (events: readonly CalendarEvent[]): Record<string, EventPatch> =>
  Object.fromEntries(events.map((event) => [event.id, event]));

/** The calendar with a stream whose messages the test sends; none until then. */
export function openCalendar(answers: Parameters<typeof fakeApi>[0] = {}) {
  const server = fakeApi({
    'GET /api/calendar/reminders': { body: { reminders: [] } },
    'GET /api/settings/linked-chats': { body: [{ platform: 'telegram', id: '1', label: 'Maggie' }] },
    ...answers,
  });
  startSession({ accessToken: 'token', accessLevel: 1 });
  let receive: (message: ToWindow) => void = () => {};
  const stop = startLive((listener) => {
    receive = listener;
    return () => {};
  });
  /** A tick arrives, and the page has rendered it. */
  const tick = (
    upsert: Record<string, EventPatch> = {},
    meta: Partial<MarketMeta> = {},
    gone: string[] = [],
  ): Promise<void> =>
    act(async () => {
      const lastUpdated = Object.keys(upsert).length + gone.length > 0 ? NOW : null;
      const delta = {
        stocks: { upsert: {}, delete: [] },
        meta,
        fx: { upsert, delete: gone, lastUpdated },
      };
      receive({ type: 'delta', delta, receivedAt: Date.now(), changedAt: null });
      await new Promise((done) => setTimeout(done, 30));
    });
  return {
    server,
    /** A whole state of the market arrives. */
    state: ({ events = [], meta = {} }: Shown, connection: Connection = 'live'): void =>
      act(() => {
        const snapshot = {
          ...aSnapshot([], { calendar: SIMULATED, marketTime: NOW, ...meta }),
          fx: { data: byId(events), lastUpdated: NOW },
        };
        receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection });
      }),
    tick,
    receive: (message: ToWindow): void => act(() => receive(message)),
    /** Sets the market’s clock, and the window updates. */
    at: async (time: number): Promise<void> => {
      await tick({}, { marketTime: time });
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
    },
    close: (): void => {
      cleanup();
      stop();
      endSession();
      server.restore();
    },
  };
}

export type CalendarScreen = ReturnType<typeof openCalendar>;

export async function showCalendar(page: CalendarScreen, shown: Shown): Promise<void> {
  page.state(shown);
  render(<CalendarPage />);
  await screen.findByRole('combobox', { name: 'Time zone' });
  await waitFor(() => {
    if (page.server.to('/api/calendar/reminders').length === 0)
      throw new Error('The reminders were not requested.');
  });
}

export const tab = (name: string) => screen.getByRole('tab', { name: new RegExp(`^${name}`) });
/** 'Yesterday 1, Today 2, Tomorrow 0'. */
export const tabTexts = (): string =>
  screen
    .getAllByRole('tab')
    .map((one) => `${one.firstChild?.textContent} ${one.querySelector('.day-count')?.textContent}`)
    .join(', ');
export const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('tr[data-id]')];
export const shownIds = (): string[] => rows().map((row) => row.dataset.id ?? '');
export function rowOf(id: string): HTMLElement {
  const row = rows().find(({ dataset }) => dataset.id === id);
  if (!row) throw new Error(`There is no row of ${id}.`);
  return row;
}
export const cellsOf = (id: string): string[] =>
  [...rowOf(id).children].map((cell) => cell.textContent?.trim() ?? '');
