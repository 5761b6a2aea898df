import { afterEach, beforeEach, expect } from 'bun:test';
import { cleanup, render, waitFor } from '@testing-library/react';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { App } from '#web/app/App.tsx';
import { navigate } from '#web/router/navigate.ts';
import { startRouter } from '#web/router/router.ts';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { fakeApi, MAGGIE } from './fakeApi.ts';
import { giveLayout } from './layout.ts';
import { liveByHand } from './liveByHand.ts';

/** For each test the whole page, with a server that has few answers and a stream whose messages the test sends. */
export function appByHand() {
  let server: ReturnType<typeof fakeApi>;
  let live: ReturnType<typeof liveByHand>;
  let stops: (() => void)[] = [];
  beforeEach(() => {
    server = fakeApi({
      'GET /api/settings': { body: MAGGIE },
      'GET /api/app': { body: { test: false, donateUrl: null, version: '0', commit: 'c' } },
      'GET /api/test/status': { body: { test: false } },
      'GET /api/calls/leaderboard': { body: { calls: [], leaderboard: [], fetchedAt: Date.now() } },
    });
    window.location.hash = '#/login';
    live = liveByHand();
    stops = [giveLayout(), startRouter(), startSettings(), live.stop];
  });
  afterEach(() => {
    cleanup();
    endSession();
    for (const stop of stops) stop();
    server.restore();
  });
  return {
    get server() {
      return server;
    },
    get live() {
      return live;
    },
    /** Shows a screen, signed in from level 1 on, and waits until its code has loaded. */
    async open(route: string, level = 0) {
      if (level > 0) {
        startSession({ accessToken: 'token', accessLevel: level });
        await loadSettings();
      }
      navigate(route);
      render(<App />);
      await waitFor(() => expect(document.querySelector('main .loading-overlay') === null).toBe(true));
    },
  };
}
