import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus where somebody works through a list by keyboard: a pressed button is disabled meanwhile, and its finding is
 * gone afterwards. Then the focus goes to the one that stands in its place, or to the whole when none is left.
 * @returns for the section in which the findings stand
 */
export function useFocusStays(isBusy: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const place = useRef<number | null>(null);
  useLayoutEffect(() => {
    const findings = [...(section.current?.querySelectorAll('.finding') ?? [])];
    if (isBusy) {
      const at = findings.findIndex((one) => one.contains(document.activeElement));
      if (at >= 0) place.current = at;
      return;
    }
    const at = place.current;
    place.current = null;
    if (at === null || document.activeElement !== document.body) return;
    const next = findings[Math.min(at, findings.length - 1)];
    (next?.querySelector<HTMLElement>('input') ?? section.current)?.focus();
  }, [isBusy]);
  return section;
}
