import { type ReactNode, type RefObject, useState } from 'react';
import type { DelimitedTable } from '#texts/csv.ts';
import type { TableColumn, TakenColumn } from '#ui/table/tableModel.ts';
import { late } from '../lateStyles.ts';
import type { TakeCode } from './TakeMenu.tsx';

const TakeMenu = late(() => import('./TakeMenu.tsx').then((code) => code.TakeMenu));

type MenuButtonProps = { label: string; read(code: TakeCode): DelimitedTable };

function MenuButton({ label, read }: MenuButtonProps): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    setAnchor(null);
    anchor?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        type="button"
        className="take-button"
        aria-label={`Copy or save ${label}`}
        title="Copy or save this table"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11" />
        </svg>
      </button>
      {anchor && <TakeMenu label={label} read={read} anchor={anchor} onClose={close} />}
    </>
  );
}

type TakeButtonProps<Row> = {
  label: string;
  columns: readonly (TableColumn<Row> | TakenColumn<Row>)[];
  rows(): readonly Row[];
};

/** Copies a live table as TSV or saves it as CSV, as sorted and filtered. */
export const TakeButton = <Row,>({ label, columns, rows }: TakeButtonProps<Row>): ReactNode => (
  <MenuButton label={label} read={({ ofColumns }) => ofColumns(columns, rows())} />
);

type TakeDrawnButtonProps = { label: string; table: RefObject<HTMLTableElement | null> };

export const TakeDrawnButton = ({ label, table }: TakeDrawnButtonProps): ReactNode => (
  <MenuButton
    label={label}
    read={({ ofElement }) => (table.current ? ofElement(table.current) : { headings: [], rows: [] })}
  />
);
