import { type Signal, signal } from '@preact/signals-react';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { Stock } from '#market/rules/stock.ts';
import { ScannerScreen, type ScannerScreenProps } from '#subjects/scanners/web/ScannerScreen.tsx';
import { loadNewsRow } from '#subjects/stock/web/shared/NewsPanel.tsx';
import { aStock } from './aStock.ts';
import { aMeta } from './market.ts';

// The panel under a row would load by its own timer, which tests hold.
await loadNewsRow();

/** A new sort takes up to a second; a busy machine may need longer. */
export const PATIENT = { timeout: 10_000 };
export const TODAY = '2026-11-20';
/** Stocks as passed to a screen. */
export const marketOf = (stocks: readonly Stock[]): Signal<ReadonlyMap<string, Stock>> =>
  signal(new Map(stocks.map((stock) => [stock.code, stock])));

/** A scanner’s screen on given stocks, live by default. */
export function screenOf(
  scanner: ScannerKey,
  stocks: readonly Stock[],
  change: Partial<ScannerScreenProps> = {},
) {
  return (
    <ScannerScreen
      key={scanner}
      scanner={scanner}
      stocks={marketOf(stocks)}
      meta={aMeta({ dateToday: TODAY })}
      connection="live"
      quoteLink="none"
      onConfigure={() => {}}
      onPopOut={() => {}}
      onRetry={() => {}}
      {...change}
    />
  );
}

export const grid = (name: string) => screen.getByRole('grid', { name });
export const codes = (name: string) =>
  [...grid(name).querySelectorAll<HTMLElement>('tr[data-id]')]
    .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
    .map((row) => row.dataset.id);
export const header = (name: string) => screen.getByRole('columnheader', { name });
export const sortBy = (name: string) => userEvent.click(within(header(name)).getByRole('button'));
export function row(code: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`tr[data-id="${code}"]`);
  if (!found) throw new Error(`No row of ${code} is shown.`);
  return found;
}

export const THREE_STOCKS = [
  aStock({ code: 'AAA', last: 0.51, change: 0.01, change_percent: 2, value: 90_000 }),
  aStock({ code: 'BBB', last: 0.6, change: 0.1, change_percent: 20, value: 10_000 }),
  aStock({ code: 'CCC', last: 0.55, change: 0.05, change_percent: 10, value: null }),
];
export const SHOW_ALL = { minValue: 0 };
export const remember = (scanner: ScannerKey, filters: object) =>
  localStorage.setItem(`bellbird.scanner.${scanner}`, JSON.stringify({ filters }));
