import { expect, spyOn } from 'bun:test';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { App } from '#web/app/App.tsx';
import { resetScans } from '#subjects/scanners/web/custom/state.ts';
import { resetCalls } from '#subjects/calls/web/state.ts';
import { forgetWatchlist } from '#subjects/alerts/web/watchlist/useWatchlist.ts';
import { loadAuction } from '#subjects/stock/web/shared/RowPanel.tsx';
import { loadAppInfo } from '#web/shared/appInfo.ts';
import { forgetCatalogs } from '#web/shared/indicators/catalog.ts';
import { startLive } from '#web/live/market.ts';
import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import { SharedStream, STREAM_URL } from '#web/live/stream/sharedStream.ts';
import { loadNewsRow } from '#subjects/stock/web/shared/NewsPanel.tsx';
import { forgetNewsRequests } from '#subjects/announcements/web/shared/newsRequests.ts';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { fakeApi, MAGGIE } from './fakeApi.ts';
import { fakeSources } from './fakeEventSource.ts';
import { giveLayout } from './layout.ts';
import { aNewsDay } from './aNewsDay.ts';
import { aStock } from './aStock.ts';
import { aMeta } from './market.ts';

// Loaded in advance, so no test waits for the code of a screen or dialog.
await Promise.all([
  import('#subjects/accounts/web/LoginPage.tsx'),
  import('#subjects/accounts/web/RegisterPage.tsx'),
  import('#admin/web/AdminPage.tsx'),
  import('#subjects/calendar/web/CalendarPage.tsx'),
  import('#subjects/calls/web/CallsScreen.tsx'),
  import('#subjects/calls/web/parts/MyCallsDialog.tsx'),
  import('#subjects/calls/web/parts/SubmitCallDialog.tsx'),
  import('#subjects/scanners/web/ScannerPage.tsx'),
  import('#subjects/scanners/web/custom/CustomScanner.tsx'),
  import('#subjects/scanners/web/custom/ScanEditor.tsx'),
  import('#subjects/settings/web/SettingsPage.tsx'),
  import('#subjects/alerts/web/watchlist/WatchlistPage.tsx'),
  import('#subjects/alerts/web/watchlist/parts/AlertPanel.tsx'),
  import('#web/shared/indicators/AddIndicatorDialog.tsx'),
  loadNewsRow(),
  loadAuction(),
]);

/** React’s warning about a timer that ends while a test awaits something else. It depends on the machine’s speed, not the page. */
const OWN_TIMERS = 'An update to %s inside a test was not wrapped in act(';

/** The machine may be busy. */
export const PATIENT = { timeout: 45_000 };

/** The whole page, with a server whose answers the test sets; without one, loading fails as not found. */
export function openAppOnAnswers() {
  const server = fakeApi({
    'GET /api/app': { body: {} },
    'GET /api/settings': { body: MAGGIE },
    'GET /api/settings/linked-chats': { body: [] },
    'GET /api/watchlist': { body: { items: [] } },
    'GET /api/indicators/scans': { body: { scans: [] } },
    'GET /api/indicators/catalog/tv': { body: {} },
    'GET /api/indicators/catalog/custom': { body: {} },
  });
  const sources = fakeSources();
  const complaints = spyOn(console, 'error').mockImplementation(() => {});
  const warnings = spyOn(console, 'warn').mockImplementation(() => {});
  const stream = new SharedStream(
    {
      openSource: sources.open,
      now: () => Date.now(),
      elapsed: () => performance.now(),
      every: () => () => {},
      after: () => () => {},
      random: () => 1,
    },
    () => createOverviews,
  );
  window.location.hash = '#/calls';
  const stops = [giveLayout(), startRouter(), startSettings(), startLive((receive) => stream.join(receive))];
  return {
    server,
    answer: (name: string, body: unknown): void => {
      server.answers[name] = { body };
    },
    /** Sends an event of the stream, as text on the wire; the alert stream opens later. */
    send: (event: string, data: unknown): void =>
      act(() =>
        (sources.made.findLast(({ url }) => url.startsWith(STREAM_URL)) ?? sources.last()).send(event, data),
      ),
    /** Shows a screen, signed in from level 1 on, and waits until its code has loaded. */
    open: async (route: string, level = 0): Promise<void> => {
      if (level > 0) {
        startSession({ accessToken: 'token', accessLevel: level });
        await loadSettings();
      }
      await loadAppInfo();
      navigate(route);
      render(<App />);
      await waitFor(
        () => expect(document.querySelector('main .loading-overlay') === null).toBe(true),
        PATIENT,
      );
    },
    /** Errors reported since the last call, from anything that broke while rendering. */
    errors: (): string[] => {
      const errors = complaints.mock.calls.map((call) => call.map(String).join(' ').slice(0, 300));
      complaints.mockClear();
      return errors.filter((text) => !text.startsWith(OWN_TIMERS));
    },
    close: () => {
      cleanup();
      endSession();
      for (const stop of stops) stop();
      forgetCatalogs();
      resetScans();
      resetCalls();
      forgetWatchlist();
      forgetNewsRequests();
      server.restore();
      complaints.mockRestore();
      warnings.mockRestore();
    },
  };
}

export type AppOnAnswers = ReturnType<typeof openAppOnAnswers>;

const REPORT = {
  headline: 'Quarterly report',
  url: 'https://example.com/a1.pdf',
  time: '2026-11-19T22:10:00Z',
  announcementTypes: ['Quarterly'],
  isPriceSensitive: true,
};

/** A market of one stock with news today. */
export const SNAPSHOT = {
  stocks: {
    BHP: aStock({
      code: 'BHP',
      open: 42,
      close: 41.5,
      last: 42.5,
      change: 1,
      change_percent: 2.4,
      value: 9_000_000,
      news: { '2026-11-20': aNewsDay({ announcements: { a1: REPORT } }) },
    }),
  },
  meta: aMeta({ stockCount: 1 }),
  fx: { data: {}, lastUpdated: null },
};

export const showMarket = (page: AppOnAnswers): void => page.send('snapshot', SNAPSHOT);
