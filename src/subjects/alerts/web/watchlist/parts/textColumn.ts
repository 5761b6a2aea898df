import type { TableColumn } from '../../../../../../web/ui/table/types.ts';

type TextColumn<Row> = Pick<TableColumn<Row>, 'id' | 'label' | 'width' | 'maxWidth' | 'text'> &
  Partial<TableColumn<Row>>;

/** A column of texts; one that says nothing stands behind those that do. */
export const textColumn = <Row>(given: TextColumn<Row>): TableColumn<Row> => ({
  numeric: false,
  flashes: false,
  isLong: true,
  read: (row) => given.text(row).toLowerCase() || null,
  ...given,
});
