import { constructRow, type RowModel, type Table } from '@tanstack/react-table';
import { HeldOrder, type Ordered } from './heldOrder.ts';
import type { ModelRow, Features } from './tableModel.ts';

/** What decides on the order besides the rows and the sort, which the table knows. */
export type Hold<Row> = {
  /** Somebody is reading: keep the order. */
  isHeld: boolean;
  openIds: ReadonlySet<string>;
  resetKey: string;
  epoch: string;
  lookup?: ((id: string) => Row | undefined) | undefined;
  leavesAtOnce?: boolean | undefined;
};

type Model<Row extends object> = RowModel<Features, Row>;
type RowOf<Row extends object> = (data: Row) => ModelRow<Row>;

/** Rows of a model, made when somebody asks for them: what is drawn with each tick is drawn of their data. */
class LateRows<Row extends object> implements Model<Row> {
  #rows: ModelRow<Row>[] | null = null;

  constructor(
    private readonly data: readonly Row[],
    private readonly rowOf: RowOf<Row>,
  ) {}

  get rows(): ModelRow<Row>[] {
    return (this.#rows ??= this.data.map(this.rowOf));
  }

  get flatRows(): ModelRow<Row>[] {
    return this.rows;
  }

  get rowsById(): Record<string, ModelRow<Row>> {
    return Object.fromEntries(this.rows.map((row) => [row.id, row]));
  }
}

const NOTHING_HELD: Hold<never> = { isHeld: false, openIds: new Set(), resetKey: '', epoch: '' };

/**
 * The row models of a live table: `core` has its data as they came, `sorted` in an order that stands still while
 * somebody uses the rows (`HeldOrder` has the rule). A row stays the same object while its data does.
 */
export class HeldRows<Row extends object> {
  /** Taken into account whenever the rows are put in order. */
  hold: Hold<Row> = NOTHING_HELD;
  readonly #order = new HeldOrder<Row>();
  readonly #rows = new WeakMap<Row, ModelRow<Row>>();

  readonly core = (table: Table<Features, Row>): (() => Model<Row>) =>
    this.#modelOf(table, () => table.options.data);

  readonly sorted = (table: Table<Features, Row>): (() => Model<Row>) =>
    this.#modelOf(table, () => this.#inOrder(table).rows);

  /** What the order was when it was last asked for. */
  last(): Ordered<Row> {
    return this.#order.last();
  }

  /** The order of the table's rows as they are now. */
  next(table: Table<Features, Row>): Ordered<Row> {
    table.getRowModel();
    return this.last();
  }

  /** Lets everything go where it belongs when the rows are next put in order, held or not, open or not. */
  resume(): void {
    this.#order.resume();
  }

  #modelOf(table: Table<Features, Row>, dataNow: () => readonly Row[]): () => Model<Row> {
    const rowOf = (data: Row): ModelRow<Row> => {
      const row = this.#rows.get(data) ?? constructRow(table, table.getRowId(data, 0), data, 0, 0);
      this.#rows.set(data, row);
      return row;
    };
    let data: readonly Row[] = [];
    let model = new LateRows(data, rowOf);
    return () => {
      const now = dataNow();
      if (now !== data) model = new LateRows(now, rowOf);
      data = now;
      return model;
    };
  }

  #inOrder(table: Table<Features, Row>): Ordered<Row> {
    const { resetKey, ...hold } = this.hold;
    const [sort] = table.atoms.sorting.get();
    const column = sort && table.getAllLeafColumnsById()[sort.id]?.columnDef.meta?.column;
    return this.#order.next({
      ...hold,
      rows: table.options.data,
      rowId: (data) => table.getRowId(data, 0),
      by: sort && column ? { read: column.read, desc: sort.desc } : null,
      resetKey: `${resetKey}|${sort?.id}|${sort?.desc}`,
      now: performance.now(),
    });
  }
}
