import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ScannerPage } from '../../../../src/subjects/scanners/web/ScannerPage.tsx';
import { startLive } from '../../../../web/live/market.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../../web/live/stream/protocol.ts';
import { aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { aDelta, aMeta } from '../../../support/market.ts';
import { codes, PATIENT, remember, row, SHOW_ALL } from '../../../support/scannerScreen.tsx';

const TITLE = 'Top Movers under $1';
const NEWS = {
  '2026-11-20': {
    headline: 'Quarterly Report',
    summary: null,
    summary_generated_at: null,
    alerted: true,
    announcements: {
      r: {
        headline: 'Quarterly Report',
        url: null,
        announcementTypes: [],
        isPriceSensitive: true,
        time: '2026-11-19T23:12:00Z',
      },
    },
  },
};

let receive: (message: ToWindow) => void;
let stops: (() => void)[];
beforeEach(() => {
  remember('intraDaySmall', SHOW_ALL);
  stops = [
    giveLayout(),
    startLive((take) => {
      receive = take;
      return () => {};
    }),
  ];
});
afterEach(() => {
  cleanup();
  for (const stop of stops) stop();
  localStorage.clear();
});

const open = () => {
  render(<ScannerPage scanner="intraDaySmall" />);
  const stocks = Object.fromEntries(
    ['AAA', 'BBB'].map((code) => [code, { ...aStock({ code }), news: undefined }]),
  );
  const snapshot = { stocks, meta: aMeta(), fx: { data: {}, lastUpdated: null } };
  act(() => receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' }));
};
/** One tick of the stream. */
const tick = (patch: object) =>
  act(async () => {
    const delta = aDelta({ BBB: patch });
    receive({ type: 'delta', delta, receivedAt: Date.now(), changedAt: Date.now() });
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  });

describe('an announcement that comes', () => {
  test('gives its row the icon with the tick that brings it, and takes it with the one that withdraws it', async () => {
    open();
    expect(codes(TITLE)).toEqual(['AAA', 'BBB']);
    expect(within(row('BBB')).queryByRole('img', { name: 'News today' })).toBeNull();
    await tick({ news: NEWS, sensitiveAnnouncements: 1 });
    expect(within(row('BBB')).getByRole('img', { name: 'News today' })).toBeTruthy();
    expect(within(row('BBB')).getByRole('button', { name: 'Price-sensitive news today' })).toBeTruthy();
    expect(within(row('AAA')).queryByRole('img', { name: 'News today' })).toBeNull();
    await tick({ news: { '2026-11-20': null }, sensitiveAnnouncements: 0 });
    expect(within(row('BBB')).queryByRole('img', { name: 'News today' })).toBeNull();
  });

  test('brings its row into News Only', async () => {
    open();
    await userEvent.click(screen.getByRole('button', { name: 'News Only' }));
    await waitFor(() => expect(codes(TITLE)).toEqual([]), PATIENT);
    await tick({ news: NEWS, sensitiveAnnouncements: 1 });
    // Rows move at most once a second.
    await waitFor(() => expect(codes(TITLE)).toEqual(['BBB']), PATIENT);
  });
});
