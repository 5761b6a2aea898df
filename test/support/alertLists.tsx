import { expect } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import { WatchlistPage } from '../../src/subjects/alerts/web/watchlist/WatchlistPage.tsx';
import { goTo } from '../../web/router/navigate.ts';

// Loaded ahead: no test waits for code.
await Promise.all([
  import('../../src/subjects/alerts/web/watchlist/allAlerts/AllAlerts.tsx'),
  import('../../src/subjects/alerts/web/watchlist/review/Review.tsx'),
  import('../../web/ui/ConfirmDialog.tsx'),
  import('../../src/subjects/alerts/web/watchlist/triggers/Triggers.tsx'),
  import('../../src/subjects/alerts/web/shared/scanAlerts/ScanAlertDialog.tsx'),
]);

/** Shows the tab of a list. */
export function showTab(list: 'All alerts' | 'Triggers'): void {
  goTo(list === 'Triggers' ? '/watchlist/triggers' : '/watchlist/alerts');
  render(<WatchlistPage />);
}

/** Shows it, and waits for what it lists. */
export async function openTab(list: 'All alerts' | 'Triggers'): Promise<void> {
  showTab(list);
  await screen.findByRole('grid', { name: list });
  await waitFor(() => expect(document.querySelector('table[aria-busy="true"]') === null).toBe(true));
}

export const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('tr[data-id]')];
/** The cells of each row, from the top. */
export const lines = (): string[] =>
  rows().map(({ children }) => [...children].map((one) => one.textContent ?? '').join('|'));
export const rowWith = (text: string): HTMLElement => {
  const row = rows().find(({ textContent }) => textContent?.includes(text));
  if (!row) throw new Error(`No row says ${text}.`);
  return row;
};
