import { lazy, Suspense, useEffect } from 'react';
import { livePrice } from '#market/rules/livePrice.ts';
import type { Stock } from '#market/rules/stock.ts';
import { followSizeChoices, sizeChoices } from '#subjects/calls/web/shared/size/sizeChoices.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { ErrorBoundary } from '#web/shared/ErrorBoundary.tsx';
import type { PriceChartProps } from '../types.ts';

const SizeReadout = lazy(() =>
  withStyles(import('./SizeReadout.tsx')).then((code) => ({ default: code.SizeReadout })),
);

/** How many shares the kept risk allows, told in a stock's chart; undefined until a risk is set, and without a price. */
export function useSizeReadout(stock: Stock | null): PriceChartProps['readout'] {
  useEffect(followSizeChoices, []);
  const entry = livePrice(stock ?? undefined);
  if (sizeChoices.value.risk === null || entry === null || entry <= 0) return undefined;
  return (pointed) => (
    // Where its code does not come, the chart is as good as without a risk.
    <ErrorBoundary fallback={() => null}>
      <Suspense fallback={null}>
        <SizeReadout entry={entry} pointed={pointed} />
      </Suspense>
    </ErrorBoundary>
  );
}
