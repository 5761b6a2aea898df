import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { COLUMN_TARGET_KEY } from '../../../../src/subjects/scanners/web/shared/columnTarget.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../../web/shared/settings.ts';
import { ScannerPage } from '../../../../src/subjects/scanners/web/ScannerPage.tsx';
import { startLive } from '../../../../web/live/market.ts';
import { startPopups } from '../../../../web/popup/popup.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../../web/live/stream/protocol.ts';
import { aStock } from '../../../support/aStock.ts';
import { fakeApi, MAGGIE } from '../../../support/fakeApi.ts';
import { giveLayout } from '../../../support/layout.ts';
import { aMeta } from '../../../support/market.ts';

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
let sent: string[];
let receive: (message: ToWindow) => void;
let stops: (() => void)[];
beforeEach(() => {
  opened = fakeWindow();
  asked = [];
  sent = [];
  window.open = ((url: string, _name: string, features: string) => {
    asked.push(url, features);
    return opened as unknown as Window;
  }) as typeof window.open;
  stops = [
    giveLayout(),
    startPopups(),
    startLive((take) => {
      receive = take;
      return ({ type }) => {
        if (type !== 'watch') sent.push(type);
      };
    }),
  ];
});
afterEach(() => {
  for (const stop of stops) stop();
  window.open = realOpen;
});

const snapshot = (last: number) =>
  act(() =>
    receive({
      type: 'state',
      state: fromSnapshot(
        {
          stocks: { ABC: aStock({ last }) },
          meta: aMeta({ stockCount: 1 }),
          fx: { data: {}, lastUpdated: null },
        },
        Date.now(),
      ),
      connection: 'live',
    }),
  );
const handOver = 'This scanner is currently open in a separate window';
const button = (name: string) => screen.getByRole('button', { name });

describe('the scanner page', () => {
  test('shows skeletons first, then the market, and follows it', () => {
    render(<ScannerPage scanner="intraDaySmall" />);
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    snapshot(0.55);
    expect(document.querySelector('tr[data-id="ABC"]')?.textContent).toContain('0.550');
    snapshot(0.56);
    expect(document.querySelector('tr[data-id="ABC"]')?.textContent).toContain('0.560');
  });

  test('hands over to its window and takes it back', async () => {
    render(<ScannerPage scanner="intraDaySmall" />);
    snapshot(0.55);
    await userEvent.click(button('Pop out to new window'));
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

  test('another scanner stays where it is', async () => {
    const view = render(<ScannerPage scanner="custom" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Pop out to new window' }));
    expect(screen.getByText(handOver)).toBeDefined();
    view.rerender(<ScannerPage scanner="intraDayLargeCap" />);
    expect(screen.getByRole('grid', { name: 'Top Movers Large Cap' })).toBeDefined();
    view.rerender(<ScannerPage scanner="custom" />);
    await userEvent.click(button('Close & Show Here'));
  });

  test('says so when the browser blocks the window', async () => {
    opened = null;
    render(<ScannerPage scanner="preMarket" />);
    await userEvent.click(button('Pop out to new window'));
    expect(screen.getByText(/The browser blocked the new window/)).toBeDefined();
    await userEvent.click(button('Dismiss'));
    expect(screen.queryByText(/The browser blocked the new window/)).toBeNull();
  });

  test('Configure Columns leaves the scanner for Settings and goes there', async () => {
    render(<ScannerPage scanner="intraDayMidLarge" />);
    await userEvent.click(button('Configure Columns'));
    expect(sessionStorage.getItem(COLUMN_TARGET_KEY)).toBe('intraDayMidLarge');
    expect(window.location.hash).toBe('#/settings');
  });

  test.each(['intraDaySmall', 'preMarket', 'custom'] as const)(
    'of %s names the columns that wait for their values, and no other table’s',
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

  test('a stream that is down before the first price can be tried again', async () => {
    render(<ScannerPage scanner="preMarket" />);
    act(() => receive({ type: 'connection', connection: 'disconnected' }));
    await userEvent.click(button('Retry'));
    expect(sent).toEqual(['retry']);
  });
});
