import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { meta } from '#web/live/market.ts';

/** After what a screen needs first: the styles that come with it are the largest part of a first load but the code. */
const FETCH_AFTER_MS = 1000;

let code: ComponentType | null = null;

/** The group of this window. Its code comes after the market; its place is kept until then. */
export function LateGroupChip(): ReactNode {
  const [Chip, setChip] = useState(() => code);
  const hasMarket = meta.value !== null;
  useEffect(() => {
    if (Chip !== null || !hasMarket) return;
    let isShown = true;
    const load = () => {
      withStyles(import('#web/windows/GroupChip.tsx')).then(
        ({ GroupChip }) => {
          code = GroupChip;
          if (isShown) setChip(() => code);
        },
        // The table is of use without it.
        (problem: unknown) => console.warn('The group of this window could not be fetched.', problem),
      );
    };
    const timer = setTimeout(load, FETCH_AFTER_MS);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [Chip, hasMarket]);
  return Chip ? <Chip /> : <span className="filter-group-place" />;
}
