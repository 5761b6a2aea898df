export type RowItem = { id: string; index: number; isDetail: boolean };

export type RowItems = {
  count: number;
  at(line: number): RowItem | undefined;
  /** Line of a row; -1 if there is no row with that id. */
  lineOf(id: string): number;
  isPlain: boolean;
};

/**
 * The lines of a body from top to bottom. Without open rows they are created on demand, because there are hundreds per
 * tick.
 */
function rowItems(ids: readonly string[], open: ReadonlySet<string>): RowItems {
  if (open.size > 0) return withPanels(ids, open);
  return {
    count: ids.length,
    at: (line) => {
      const id = ids[line];
      return id === undefined ? undefined : { id, index: line, isDetail: false };
    },
    lineOf: (id) => ids.indexOf(id),
    isPlain: true,
  };
}

export function createRowItems(): typeof rowItems {
  let made: { ids: readonly string[]; open: ReadonlySet<string>; items: RowItems } | null = null;
  return (ids, open) => {
    if (made?.ids !== ids || made.open !== open) made = { ids, open, items: rowItems(ids, open) };
    return made.items;
  };
}

function withPanels(ids: readonly string[], open: ReadonlySet<string>): RowItems {
  const items = ids.flatMap((id, index): RowItem[] =>
    open.has(id)
      ? [
          { id, index, isDetail: false },
          { id, index, isDetail: true },
        ]
      : [{ id, index, isDetail: false }],
  );
  return {
    count: items.length,
    at: (line) => items[line],
    lineOf: (id) => items.findIndex((item) => item.id === id && !item.isDetail),
    isPlain: false,
  };
}

export const itemKey = (item: RowItem): string => (item.isDetail ? `${item.id}/detail` : item.id);
