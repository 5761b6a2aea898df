import type { Stock } from '#market/rules/stock.ts';
import { MESSAGES } from '#texts/messages.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { late, withStyles } from '#web/shared/lateStyles.ts';

export const AlertMe = late(() => import('./AlertMeDialog.tsx').then((code) => code.AlertMeDialog));
export const QuickAlert = late(() => import('./AlertMeDialog.tsx').then((code) => code.QuickAlert));
export const ScanAlertDialog = late(() =>
  import('./ScanAlertDialog.tsx').then((code) => code.ScanAlertDialog),
);

export const NewsAlertDialog = late(() =>
  import('./NewsAlertDialog.tsx').then((code) => code.NewsAlertDialog),
);

/** Saves an alert at a price that was picked in a chart, and confirms it with Undo. */
export const setAlertAt = (stock: Stock, price: number): Promise<void> =>
  withStyles(import('./AlertMeDialog.tsx')).then(
    (code) => code.setAlertAt(stock, price),
    () => showBriefly(MESSAGES.watchlist.saveAlert),
  );
