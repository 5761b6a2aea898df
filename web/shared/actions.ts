import { useEffect, useRef } from 'react';

export type Action = {
  label: string;
  words?: string;
  run(): void;
  /** The element to focus afterwards; omit to focus the previous element. */
  focus?(): HTMLElement | null;
};

type Offer = () => readonly Action[];

const offers = new Set<Offer>();

export const offeredActions = (): Action[] => [...offers].flatMap((offer) => offer());

/** Offers actions to the palette while mounted. */
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
