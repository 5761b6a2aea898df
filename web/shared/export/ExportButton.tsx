import type { ReactNode, RefObject } from 'react';
import type { DelimitedTable } from '#texts/csv.ts';
import type { TableColumn, ExportedColumn } from '#ui/table/tableModel.ts';
import { useAnchor } from '#ui/useAnchor.ts';
import { late } from '../lateStyles.ts';
import type { ExportCode } from './ExportMenu.tsx';

const ExportMenu = late(() => import('./ExportMenu.tsx').then((code) => code.ExportMenu));

type MenuButtonProps = { label: string; read(code: ExportCode): DelimitedTable };

function MenuButton({ label, read }: MenuButtonProps): ReactNode {
  const { anchor, open, close } = useAnchor();
  return (
    <>
      <button
        type="button"
        className="take-button"
        aria-label={`Copy or save ${label}`}
        title="Copy or save this table"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={open}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11" />
        </svg>
      </button>
      {anchor && <ExportMenu label={label} read={read} anchor={anchor} onClose={close} />}
    </>
  );
}

type ExportButtonProps<Row> = {
  label: string;
  columns: readonly (TableColumn<Row> | ExportedColumn<Row>)[];
  rows(): readonly Row[];
};

/** A button that copies a live table as TSV or saves it as CSV, as sorted and filtered. */
export const ExportButton = <Row,>({ label, columns, rows }: ExportButtonProps<Row>): ReactNode => (
  <MenuButton label={label} read={({ ofColumns }) => ofColumns(columns, rows())} />
);

type ExportDrawnButtonProps = { label: string; table: RefObject<HTMLTableElement | null> };

export const ExportDrawnButton = ({ label, table }: ExportDrawnButtonProps): ReactNode => (
  <MenuButton
    label={label}
    read={({ ofElement }) => (table.current ? ofElement(table.current) : { headings: [], rows: [] })}
  />
);
