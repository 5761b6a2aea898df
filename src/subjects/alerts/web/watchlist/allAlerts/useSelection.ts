import { useCallback, useRef, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/** The ids from one to another, whichever stands first; the other alone where the first is not among them. */
export function idsBetween(ids: readonly string[], from: string | null, to: string): string[] {
  const [start, end] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * Which rows are selected. A range goes from the row that was selected, or taken out, last.
 * @param shownIds in the order in which the table shows them now
 */
export function useSelection(shownIds: () => readonly string[]) {
  const [selected, setSelected] = useState(NONE);
  const last = useRef<string | null>(null);
  const order = useRef(shownIds);
  order.current = shownIds;
  const toggle = useCallback((id: string, isRange: boolean): void => {
    const from = last.current;
    const touched = isRange ? idsBetween(order.current(), from, id) : [id];
    last.current = id;
    setSelected((before) => {
      const isOn = isRange ? from === null || before.has(from) : !before.has(id);
      const others = [...before].filter((other) => !touched.includes(other));
      return new Set(isOn ? [...others, ...touched] : others);
    });
  }, []);
  const choose = useCallback((ids: readonly string[]): void => {
    last.current = null;
    setSelected(new Set(ids));
  }, []);
  return { selected, toggle, choose };
}
