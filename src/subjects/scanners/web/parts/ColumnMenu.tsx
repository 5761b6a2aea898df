import { type ReactNode, useRef, useState } from 'react';
import { copyLayout, type FormatChange, setFormat } from '../../rules/columnEditor.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import { isTextColumn } from '#market/scanners/rules/columns.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { ColumnFormatDialog, CopyLayoutDialog } from '../shared/columns/ColumnDialogs.tsx';
import {
  layoutModel,
  moveColumn,
  resizeColumn,
  toggleColumn,
  changeColumns,
  columnsOf,
} from '../shared/columns/layouts.ts';
import { MenuItem, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';

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
  const [dialog, setDialog] = useState<'looks' | 'copy' | null>(null);
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
      <MenuItem staysOpen onChoose={() => setDialog('copy')}>
        Copy layout to…
      </MenuItem>
      <MenuItem onChoose={onConfigure}>Configure Columns</MenuItem>
    </MenuSheet>
  );
}

type ColumnDialogProps = Pick<ColumnMenuProps, 'scanner' | 'onClose'> & {
  kind: 'looks' | 'copy';
  entry: ColumnEntry;
  columns: readonly ColumnEntry[];
};

function ColumnDialog({ kind, scanner, entry, columns, onClose }: ColumnDialogProps): ReactNode {
  if (kind === 'looks') {
    const onChange = (format: FormatChange) =>
      changeColumns(scanner, (now) => setFormat(now, entry.id, format));
    return <ColumnFormatDialog tableKey={scanner} entry={entry} onChange={onChange} onClose={onClose} />;
  }
  const onCopy = (to: ScannerKey) => changeColumns(to, () => copyLayout(columns, to));
  return <CopyLayoutDialog from={scanner} onCopy={onCopy} onClose={onClose} />;
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
