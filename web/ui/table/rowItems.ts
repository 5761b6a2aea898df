/** A line of the body: a data row, or the panel opened under it. */
export type RowItem = { id: string; index: number; isDetail: boolean };

export type RowItems = {
  count: number;
  at(line: number): RowItem | undefined;
  /** The line of a data row; -1 when there is none of that id. */
  lineOf(id: string): number;
  /** Whether every line is a data row, and so of one height. */
  isPlain: boolean;
};

/**
 * The lines of a table's body, top to bottom. Without open rows none are made before they are asked for: there are
 * hundreds, and this happens with every tick.
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

/** The same, made again only for other ids or other open rows. */
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
