import { type ReactNode, useMemo, useRef, useState } from 'react';
import { addColumnsAfter, copyLayout, type FormatChange, setFormat } from '../../rules/columnEditor.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import { ALL_COLUMNS, isTextColumn } from '#market/scanners/rules/columns.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { ColumnFormatDialog, CopyLayoutDialog } from '../shared/columns/ColumnDialogs.tsx';
import {
  layoutModel,
  moveColumn,
  resizeColumn,
  toggleColumn,
  changeColumns,
  columnsOf,
  pickedEntries,
} from '../shared/columns/layouts.ts';
import { MenuItem, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';
import { late } from '#web/shared/lateStyles.ts';

const AddIndicatorDialog = late(() =>
  import('#web/shared/indicators/AddIndicatorDialog.tsx').then((code) => code.AddIndicatorDialog),
);

type ColumnMenuProps = {
  scanner: ScannerKey;
  id: string;
  /** The heading of the column, which gets the focus when the menu closes. */
  heading: HTMLElement;
  onConfigure(): void;
  onClose(): void;
};

function neighbourOf(heading: HTMLElement): HTMLElement {
  const neighbour = heading.nextElementSibling ?? heading.previousElementSibling;
  return neighbour instanceof HTMLElement ? neighbour : heading;
}

export function ColumnMenu(props: ColumnMenuProps): ReactNode {
  const { scanner, id, heading, onConfigure, onClose } = props;
  const [dialog, setDialog] = useState<'looks' | 'copy' | 'add' | null>(null);
  // The heading to focus; another one if the column is hidden.
  const headingLeft = useRef(heading);
  const columns = columnsOf(scanner);
  const entry = columns.find((one) => one.id === id);
  if (!entry) return null;
  const close = () => {
    onClose();
    headingLeft.current.querySelector('button')?.focus();
  };
  const hide = () => {
    headingLeft.current = neighbourOf(heading);
    changeColumns(scanner, (now) => toggleColumn(now, id));
  };
  if (dialog !== null) {
    return <ColumnDialog kind={dialog} scanner={scanner} entry={entry} columns={columns} onClose={close} />;
  }
  return (
    <MenuSheet label={`${entry.label} column`} anchor={heading} onClose={close}>
      <PlaceItems scanner={scanner} id={id} columns={columns} onHide={hide} />
      {!isTextColumn(id) && (
        <MenuItem staysOpen onChoose={() => setDialog('looks')}>
          Format…
        </MenuItem>
      )}
      {entry.width !== undefined && (
        <MenuItem onChoose={() => changeColumns(scanner, (now) => resizeColumn(now, id, null))}>
          Default width
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem staysOpen onChoose={() => setDialog('add')}>
        Add a column…
      </MenuItem>
      <MenuItem staysOpen onChoose={() => setDialog('copy')}>
        Copy layout to…
      </MenuItem>
      <MenuItem onChoose={onConfigure}>Configure Columns</MenuItem>
    </MenuSheet>
  );
}

type ColumnDialogProps = Pick<ColumnMenuProps, 'scanner' | 'onClose'> & {
  kind: 'looks' | 'copy' | 'add';
  entry: ColumnEntry;
  columns: readonly ColumnEntry[];
};

function ColumnDialog({ kind, scanner, entry, columns, onClose }: ColumnDialogProps): ReactNode {
  if (kind === 'looks') {
    const onChange = (format: FormatChange) =>
      changeColumns(scanner, (now) => setFormat(now, entry.id, format));
    return <ColumnFormatDialog tableKey={scanner} entry={entry} onChange={onChange} onClose={onClose} />;
  }
  if (kind === 'add') return <AddColumn scanner={scanner} after={entry.id} onClose={onClose} />;
  const onCopy = (to: ScannerKey) => changeColumns(to, () => copyLayout(columns, to));
  return <CopyLayoutDialog from={scanner} onCopy={onCopy} onClose={onClose} />;
}

type AddColumnProps = Pick<ColumnMenuProps, 'scanner' | 'onClose'> & {
  /** The id of the column at the left; the last column if omitted. */
  after?: string;
};

/** Offers the columns that the table does not show, and every indicator. */
export function AddColumn({ scanner, after, onClose }: AddColumnProps): ReactNode {
  const columns = columnsOf(scanner);
  const offered = useMemo(() => {
    const shown = new Set(columns.flatMap((one) => (one.enabled ? [one.id] : [])));
    return ALL_COLUMNS.filter((one) => !shown.has(one.id)).map((one) => ({ key: one.id, label: one.label }));
  }, [columns]);
  const id = after ?? columns.findLast(({ enabled }) => enabled)?.id ?? 'name';
  return (
    <AddIndicatorDialog
      open
      multipleTimeframes
      columns={offered}
      onAdd={(result) =>
        changeColumns(scanner, (now) => addColumnsAfter(now, id, pickedEntries(scanner, result)))
      }
      onClose={onClose}
    />
  );
}

type PlaceItemsProps = Pick<ColumnMenuProps, 'scanner' | 'id'> & {
  columns: readonly ColumnEntry[];
  onHide(): void;
};

function PlaceItems({ scanner, id, columns, onHide }: PlaceItemsProps): ReactNode {
  const model = layoutModel(columns);
  const movable = model.getCenterVisibleLeafColumns();
  const at = movable.findIndex((one) => one.id === id);
  const moveTo = (over: number) => () =>
    changeColumns(scanner, (now) => moveColumn(now, id, movable[over]?.id ?? id));
  return (
    <>
      {model.getColumn(id)?.getCanHide() && <MenuItem onChoose={onHide}>Hide column</MenuItem>}
      {at > 0 && <MenuItem onChoose={moveTo(at - 1)}>Move left</MenuItem>}
      {at >= 0 && at < movable.length - 1 && <MenuItem onChoose={moveTo(at + 1)}>Move right</MenuItem>}
    </>
  );
}
