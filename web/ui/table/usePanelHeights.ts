import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Height of an open panel before it is measured, px. */
const ESTIMATE = 140;

/** How tall the panels open under rows are, by their row's id, px. `measure` is their elements' ref. */
export function usePanelHeights() {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(() => new Map());
  const latest = useRef(heights);
  const note = useCallback((panel: HTMLElement) => {
    const { detail: id } = panel.dataset;
    const height = panel.offsetHeight;
    if (id === undefined || latest.current.get(id) === height) return;
    latest.current = new Map(latest.current).set(id, height);
    setHeights(latest.current);
  }, []);
  const [observer] = useState(
    () =>
      new ResizeObserver((entries, self) => {
        // Before the frame is painted, in which the lines below would lie over the panel.
        flushSync(() => {
          for (const { target } of entries) {
            if (target.isConnected && target instanceof HTMLElement) note(target);
            else self.unobserve(target);
          }
        });
      }),
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  const measure = useCallback(
    (panel: HTMLElement | null) => {
      if (panel === null) return;
      note(panel);
      observer.observe(panel);
    },
    [note, observer],
  );
  const heightOf = useCallback((id: string) => heights.get(id) ?? ESTIMATE, [heights]);
  return { heightOf, measure };
}
