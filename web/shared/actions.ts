import { useEffect, useRef } from 'react';

/** Something that can be done on a screen, as the palette lists it. */
export type Action = {
  label: string;
  /** Other words it is found by. */
  words?: string;
  run(): void;
  /** What has the focus then; left out, what had it before. */
  focus?(): HTMLElement | null;
};

/** Offered by scanners that begin in another order; the hint about that order runs it. */
export const SORT_BY_CHANGE = 'Sort by Change';

type Offer = () => readonly Action[];

const offers = new Set<Offer>();

/** What the screen that is shown offers to be done, in the order in which its parts were mounted. */
export const offeredActions = (): Action[] => [...offers].flatMap((offer) => offer());

/** Offers actions to the palette while the caller is mounted; always the newest ones. */
export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const offer: Offer = () => latest.current;
    offers.add(offer);
    return () => {
      offers.delete(offer);
    };
  }, []);
}
