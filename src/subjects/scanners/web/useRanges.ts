import { useEffect, useState } from 'react';
import type { Breadth, PriceRanges } from '#market/rules/breadth.ts';
import { marketEra } from '#web/live/marketEra.ts';

type Known = { era: string | null; ranges: PriceRanges };

/** The ranges of the kept daily bars, fetched where a filter asks for new highs or lows; null while they are not known. */
export function useRanges(side: Breadth | undefined): PriceRanges | null {
  const [known, setKnown] = useState<Known | null>(null);
  const isNeeded = side === 'newHighs' || side === 'newLows';
  const era = isNeeded ? marketEra.value : null;
  useEffect(() => {
    if (!isNeeded || era === null) return;
    let isWanted = true;
    import('#subjects/glance/web/shared/late.ts')
      .then(({ loadRanges }) => loadRanges())
      .then(
        (ranges) => isWanted && setKnown({ era, ranges }),
        // Stocks whose source states a range are shown without.
        (problem: unknown) => console.warn('The ranges of the daily bars could not be fetched.', problem),
      );
    return () => {
      isWanted = false;
    };
  }, [isNeeded, era]);
  return known !== null && known.era === era ? known.ranges : null;
}
