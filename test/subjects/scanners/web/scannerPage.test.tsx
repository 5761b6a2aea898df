import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { ScannerPage } from '#subjects/scanners/web/ScannerPage.tsx';
import { SETTLE_MS } from '#ui/table/heldOrder.ts';
import { READING_MS } from '#ui/table/useReading.ts';
import { queryOf } from '#web/router/navigate.ts';
import { startPopups } from '#web/windows/popup.ts';
import { aStock } from '#support/aStock.ts';
import { fakeApi, MAGGIE } from '#support/fakeApi.ts';
import { liveByHand } from '#support/liveByHand.ts';
import { giveLayout } from '#support/layout.ts';

type FakeWindow = { closed: boolean; focused: number; focus(): void; close(): void };
const fakeWindow = (): FakeWindow => ({
  closed: false,
  focused: 0,
  focus() {
    this.focused += 1;
  },
  close() {
    this.closed = true;
  },
});

const realOpen = window.open;
let opened: FakeWindow | null;
let asked: string[];
let live: ReturnType<typeof liveByHand>;
let stops: (() => void)[];
beforeEach(() => {
  opened = fakeWindow();
  asked = [];
  live = liveByHand();
  window.open = ((url: string, _name: string, features: string) => {
    asked.push(url, features);
    return opened as unknown as Window;
  }) as typeof window.open;
  stops = [giveLayout(), startPopups(), live.stop];
});
afterEach(() => {
  for (const stop of stops) stop();
  window.open = realOpen;
});

const handOver = 'This scanner is currently open in a separate window';
const button = (name: string) => screen.getByRole('button', { name });
async function choose(name: string): Promise<void> {
  await userEvent.click(button('More'));
  await userEvent.click(await screen.findByRole('menuitem', { name }));
}

// First, because the pages of the others wait for the real clock.
test('a stock that left the scanner is watched by its code while its row is held', () => {
  live.stop();
  jest.useFakeTimers();
  live = liveByHand();
  stops.push(live.stop);
  const left = (code: string, last: number) => aStock({ code, last, change: -1, close: 0.5, vwap: 0.9 });
  const pass = (ms: number) => act(() => void jest.advanceTimersByTime(ms));
  const watched = () => live.sent.findLast((message) => message.type === 'watch')?.watch;
  /** Longer than the page delays drawing a tick and updating its watched symbols. */
  const DRAWN_MS = 1000;
  render(<ScannerPage scanner="intraDaySmall" />);
  pass(DRAWN_MS);
  expect(watched()?.scanners).toEqual(['intraDaySmall']);
  live.show([aStock({ code: 'ABC' }), aStock({ code: 'DEF' })]);
  // The first rows settle, and are not held before.
  pass(SETTLE_MS);
  fireEvent.pointerMove(screen.getByText('ABC'), { clientX: 1, clientY: 1, pointerType: 'mouse' });
  live.show([left('ABC', 0.31), aStock({ code: 'DEF' })]);
  pass(DRAWN_MS);
  expect(watched()?.codes).toEqual(['ABC']);
  // Its price still moves.
  live.show([left('ABC', 0.29), aStock({ code: 'DEF', last: 0.6 })]);
  pass(DRAWN_MS);
  screen.getByText('0.290');
  expect(watched()?.codes).toEqual(['ABC']);
  pass(READING_MS);
  live.show([left('ABC', 0.29), aStock({ code: 'DEF', last: 0.7 })]);
  pass(DRAWN_MS);
  expect(screen.queryByText('ABC')).toBeNull();
  live.show([left('ABC', 0.29), aStock({ code: 'DEF', last: 0.8 })]);
  pass(DRAWN_MS);
  expect(watched()?.codes).toEqual([]);
  jest.useRealTimers();
});

describe('the scanner page', () => {
  test('moves to its own window and back', async () => {
    render(<ScannerPage scanner="intraDaySmall" />);
    live.show([aStock({ last: 0.55 })]);
    await choose('Pop out to new window');
    expect(asked[0]).toEndWith('#/intra-day-small');
    expect(asked[1]).toContain('width=1400,height=900');
    expect(screen.getByText(handOver)).toBeDefined();
    expect(screen.queryByRole('grid')).toBeNull();

    const before = opened?.focused ?? 0;
    await userEvent.click(button('Focus Window'));
    expect(opened?.focused).toBe(before + 1);
    await userEvent.click(button('Close & Show Here'));
    expect(opened?.closed).toBe(true);
    expect(screen.queryByText(handOver)).toBeNull();
    expect(screen.getByRole('grid')).toBeDefined();
  });

  test('explains that the browser blocks the window', async () => {
    opened = null;
    render(<ScannerPage scanner="preMarket" />);
    await choose('Pop out to new window');
    expect(screen.getByText(/The browser blocked the new window/)).toBeDefined();
    await userEvent.click(button('Dismiss'));
    expect(screen.queryByText(/The browser blocked the new window/)).toBeNull();
  });

  test('goes to Settings by Configure Columns', async () => {
    render(<ScannerPage scanner="intraDayMidLarge" />);
    await choose('Configure Columns');
    expect(window.location.hash).toBe('#/settings/columns/intra-day-mid-large');
  });

  test('opens the odds of the scan and its filters', async () => {
    render(<ScannerPage scanner="intraDaySmall" />);
    await userEvent.click(button('News Only'));
    await choose('Does it work?');
    const filters = { minValue: 5000, newsOnly: true };
    expect(queryOf(window.location.hash).get('scan')).toBe(
      JSON.stringify({ type: 'scanner', key: 'intraDaySmall', filters }),
    );
  });

  test.each(['intraDaySmall', 'preMarket', 'custom'] as const)(
    'of %s names only its own columns that wait for values',
    async (scanner) => {
      const waiting = (label: string) => [{ id: label, label, reason: 'Its turn has not come.' }];
      const other = scanner === 'custom' ? 'preMarket' : 'custom';
      const waitingColumns = { [scanner]: waiting('RSI (14)'), [other]: waiting('ATR (7)') };
      const server = fakeApi({ 'GET /api/settings': { body: { ...MAGGIE, waitingColumns } } });
      stops.push(startSettings(), () => endSession(), server.restore);
      startSession({ accessToken: 't', accessLevel: 2 });
      await act(() => loadSettings());
      render(<ScannerPage scanner={scanner} />);
      const notice = await screen.findByText(/A column is waiting for values/);
      expect(notice.textContent).toContain('RSI (14). Its turn has not come.');
      expect(screen.queryByText(/ATR/)).toBeNull();
    },
  );
});
