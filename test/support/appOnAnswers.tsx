import { expect, spyOn } from 'bun:test';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { App } from '../../web/app/App.tsx';
import { resetScans } from '../../web/features/scanners/custom/state.ts';
import { resetCalls } from '../../web/features/calls/state.ts';
import { forgetWatchlist } from '../../web/features/watchlist/useWatchlist.ts';
import { loadAuction } from '../../web/shared/auction/AuctionPanel.tsx';
import { loadAppInfo } from '../../web/shared/appInfo.ts';
import { forgetCatalogs } from '../../web/shared/indicators/catalog.ts';
import { startLive } from '../../web/shared/live/market.ts';
import { createSharedStream } from '../../web/shared/live/stream/sharedStream.ts';
import { loadNewsRow } from '../../web/shared/news/NewsPanel.tsx';
import { forgetNewsRequests } from '../../web/shared/news/newsRequests.ts';
import { navigate } from '../../web/shared/router/navigate.ts';
import { startRouter } from '../../web/shared/router/router.ts';
import { endSession, startSession } from '../../web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../web/shared/settings.ts';
import { fakeApi } from './fakeApi.ts';
import { fakeSources } from './fakeEventSource.ts';
import { giveLayout } from './layout.ts';
import { SPECIFIED_ANSWERS, type SpecifiedAnswer, SPECIFIED_EVENTS } from './specifiedAnswers.ts';

// Loaded ahead: no test waits for the code of a screen or a dialog.
await Promise.all([
  import('../../web/features/accounts/LoginPage.tsx'),
  import('../../web/features/accounts/RegisterPage.tsx'),
  import('../../web/features/admin/AdminPage.tsx'),
  import('../../web/features/calendar/CalendarPage.tsx'),
  import('../../web/features/calls/CallsPage.tsx'),
  import('../../web/features/calls/parts/MyCallsDialog.tsx'),
  import('../../web/features/calls/parts/SubmitCallDialog.tsx'),
  import('../../web/features/scanners/ScannerPage.tsx'),
  import('../../web/features/scanners/custom/CustomScanner.tsx'),
  import('../../web/features/scanners/custom/editor/ScanEditor.tsx'),
  import('../../web/features/settings/SettingsPage.tsx'),
  import('../../web/features/watchlist/WatchlistPage.tsx'),
  import('../../web/features/watchlist/parts/AlertPanel.tsx'),
  import('../../web/shared/indicators/AddIndicatorDialog.tsx'),
  loadNewsRow(),
  loadAuction(),
]);

/** A machine that does other things too. */
export const PATIENT = { timeout: 45_000 };

export type AppOnAnswers = {
  server: ReturnType<typeof fakeApi>;
  /** Replaces one answer. */
  answer(name: SpecifiedAnswer, body: unknown): void;
  /** Sends an event of the stream, as text on the wire. */
  send(event: string, data: unknown): void;
  /** Shows a screen, signed in from level 1 on, and waits until its code is there. */
  open(route: string, level?: number): Promise<void>;
  /** What was reported as an error since the last time this was asked: whatever broke while something rendered. */
  errors(): string[];
  close(): void;
};

/** The whole page before a server that answers in the specified forms, until a test says otherwise. */
export function openAppOnAnswers(): AppOnAnswers {
  const bodies = Object.entries(SPECIFIED_ANSWERS).map(([name, body]) => [name, { body }] as const);
  const server = fakeApi(Object.fromEntries(bodies));
  const sources = fakeSources();
  const complaints = spyOn(console, 'error').mockImplementation(() => {});
  const warnings = spyOn(console, 'warn').mockImplementation(() => {});
  const stream = createSharedStream({
    openSource: sources.open,
    now: () => Date.now(),
    elapsed: () => performance.now(),
    every: () => () => {},
    after: () => () => {},
    random: () => 1,
  });
  window.location.hash = '#/calls';
  const stops = [giveLayout(), startRouter(), startSettings(), startLive((receive) => stream.join(receive))];
  return {
    server,
    answer: (name, body) => {
      server.answers[name] = { body };
    },
    send: (event, data) => act(() => sources.last().send(event, data)),
    open: async (route, level = 0) => {
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
    errors: () => {
      const told = complaints.mock.calls.map((call) => call.map(String).join(' ').slice(0, 300));
      complaints.mockClear();
      return told;
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

/** The specified snapshot, for a page that has to show a market. */
export const showMarket = (page: AppOnAnswers): void => page.send('snapshot', SPECIFIED_EVENTS.snapshot);
