/** A line of the body: a data row, or the panel opened under it. */
export type RowItem = { id: string; index: number; isDetail: boolean };

export const itemKey = (item: RowItem): string => (item.isDetail ? `${item.id}/detail` : item.id);

/**
 * The lines of a table's body, top to bottom.
 * @param ids of the data rows, in order
 * @param isOpen whether a row's panel is open
 */
export const rowItems = (ids: readonly string[], isOpen: (id: string) => boolean): RowItem[] => {
  const items: RowItem[] = [];
  ids.forEach((id, index) => {
    items.push({ id, index, isDetail: false });
    if (isOpen(id)) items.push({ id, index, isDetail: true });
  });
  return items;
};
