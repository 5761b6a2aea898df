import { lazy, type ReactNode, Suspense } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { withStyles } from '#web/shared/lateStyles.ts';

// When the code does not come the table stays, with an empty cell.
const DayCell = lazy(() =>
  withStyles(import('./DayCell.tsx')).then(
    (code) => ({ default: code.DayCell }),
    () => ({ default: () => null }),
  ),
);

/** The line of a stock's day, whose code comes with the first one. */
export const LateDayCell = (props: { stock: Stock }): ReactNode => (
  <Suspense fallback={null}>
    <DayCell {...props} />
  </Suspense>
);
