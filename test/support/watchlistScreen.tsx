import { expect } from 'bun:test';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { forgetWatchlist } from '#subjects/alerts/web/watchlist/useWatchlist.ts';
import { WatchlistPage } from '#subjects/alerts/web/watchlist/WatchlistPage.tsx';
import { forgetCatalogs } from '#web/shared/indicators/catalog.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { goTo } from '#web/router/navigate.ts';
import { listed, openAppInPage } from './appInPage.ts';
import { giveLayout } from './layout.ts';
import { allOf, is, LAST } from './conditions.ts';

// Loaded in advance, so no test waits for the code of a dialog or the editor.
await Promise.all([
  import('#subjects/alerts/web/watchlist/parts/AlertPanel.tsx'),
  import('#ui/ConfirmDialog.tsx'),
]);

/**
 * The watchlist on the real application, whose market has BHP and CBA trading and XRO in the pre-open.
 * @param options.hasMarket false for a market that is not there yet
 * @param options.hasStream false for a page without a stream
 */
export async function openWatchlist(options: { hasMarket?: boolean; hasStream?: boolean } = {}) {
  const { hasMarket = true, hasStream = hasMarket } = options;
  const takeLayout = giveLayout();
  const page = openAppInPage();
  const quotes = [
    { ...listed('BHP', 40), close: 39 },
    listed('CBA', 170),
    {
      code: 'XRO',
      name: 'XERO LIMITED',
      status: 'Pre Open',
      close: 120,
      match_price: 121.5,
      match_vol: 1000,
    },
  ] as const;
  if (hasStream) page.quote(...quotes);
  else if (hasMarket) {
    page.app.source.apply([...quotes]);
    page.app.tick.run();
  }
  const user = await page.app.addUser('olive');
  const signInAgain = async () => {
    const accessToken = await page.app.tokenOf(user);
    act(() => startSession({ accessToken, accessLevel: 1 }));
  };
  await signInAgain();
  const { alerts, watchlist } = page.app.parts;
  const userId = user.id;
  return {
    ...page,
    userId,
    /** Starts another session of the same user. */
    signInAgain,
    /** Puts symbols on the list, as another window would. */
    watch: (...symbols: string[]): void => {
      for (const symbol of symbols) watchlist.service.add(userId, symbol);
    },
    /** Puts an alert on a symbol, as another window would: 'Last above a price'. */
    alert: (symbol: string, above: number, name: string | null = null): { id: number } =>
      alerts.service.create(userId, { symbol, name, logic_json: allOf(is(LAST, '>', above)) }),
    alerts: () => alerts.service.list(userId),
    /** Requests to the server other than GET: 'POST /api/alerts'. */
    changes: () => page.asked.filter((request) => !request.startsWith('GET ')),
    open: async (address = '/watchlist'): Promise<void> => {
      goTo(address);
      render(<WatchlistPage />);
      await screen.findByRole('region', { name: 'Trading' });
      if (hasStream) {
        await waitFor(() => expect(document.querySelector('table[aria-busy="true"]') === null).toBe(true));
      }
    },
    close: (): void => {
      cleanup();
      page.close();
      forgetWatchlist();
      forgetCatalogs();
      goTo('/');
      takeLayout();
    },
  };
}

export type WatchlistScreen = Awaited<ReturnType<typeof openWatchlist>>;

export const table = (name: 'Pre-open' | 'Trading') => screen.getByRole('region', { name });
export const symbolsIn = (name: 'Pre-open' | 'Trading'): string[] =>
  [...table(name).querySelectorAll<HTMLElement>('tr[data-id]')].map((row) => row.dataset.id ?? '');
export const rowOf = (symbol: string): HTMLElement => {
  const row = document.querySelector<HTMLElement>(`tr[data-id="${symbol}"]`);
  if (!row) throw new Error(`There is no row of ${symbol}.`);
  return row;
};
export const cellsOf = (symbol: string): string[] =>
  [...rowOf(symbol).children].map((cell) => cell.textContent ?? '');
export const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Add symbol' });
export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

/** Opens a symbol’s row and waits for its alerts. */
export async function openRow(symbol: string) {
  await userEvent.click(rowOf(symbol).querySelectorAll('td')[2] as HTMLElement);
  const panel = await screen.findByRole('region', { name: `Alerts on ${symbol}` });
  await within(panel).findByRole('button', { name: /^(?:Add alert|More conditions…)$/ });
  return within(panel);
}

/** The market’s next update arrives, and the page has rendered it. */
export const shown = (quote: () => void) =>
  act(async () => {
    quote();
    await new Promise((done) => setTimeout(done, 20));
  });
