import { type ReactNode, useRef, useState } from 'react';
import {
  copyLayout,
  type LooksChange,
  moveColumn,
  setLooks,
  toggleColumn,
} from '../../rules/columnEditor.ts';
import { isTextColumn } from '../../rules/columns.ts';
import type { ScannerKey } from '../../rules/scanners.ts';
import { ColumnLooksDialog } from '../shared/columns/ColumnLooksDialog.tsx';
import { CopyLayoutDialog } from '../shared/columns/CopyLayoutDialog.tsx';
import { changeColumns, columnsOf } from '../shared/columns/layouts.ts';
import { MenuItem, MenuLine, MenuSheet } from '../../../../../web/ui/MenuSheet.tsx';

export type ColumnMenuProps = {
  scanner: ScannerKey;
  id: string;
  /** The heading that the menu stands under, and that gets the focus back. */
  heading: HTMLElement;
  onConfigure(): void;
  onClose(): void;
};

/** What can be done with a column, from its heading. Import it lazily: it brings Base UI along. */
export function ColumnMenu(props: ColumnMenuProps): ReactNode {
  const { scanner, id, heading, onConfigure, onClose } = props;
  const [dialog, setDialog] = useState<'looks' | 'copy' | null>(null);
  // The menu's own, until its column is hidden.
  const headingLeft = useRef(heading);
  const columns = columnsOf(scanner);
  const entry = columns.find((one) => one.id === id);
  if (!entry) return null;
  const close = () => {
    onClose();
    headingLeft.current.querySelector('button')?.focus();
  };
  const hide = () => {
    const beside = heading.nextElementSibling ?? heading.previousElementSibling;
    if (beside instanceof HTMLElement) headingLeft.current = beside;
    changeColumns(scanner, (now) => toggleColumn(now, id));
  };
  if (dialog === 'looks') {
    const onChange = (looks: LooksChange) => changeColumns(scanner, (now) => setLooks(now, id, looks));
    return <ColumnLooksDialog tableKey={scanner} entry={entry} onChange={onChange} onClose={close} />;
  }
  if (dialog === 'copy') {
    const onCopy = (to: ScannerKey) => changeColumns(to, () => copyLayout(columns, to));
    return <CopyLayoutDialog from={scanner} onCopy={onCopy} onClose={close} />;
  }
  const shown = columns.filter(({ enabled }) => enabled);
  const at = shown.findIndex((one) => one.id === id);
  const step = (by: number) => {
    const over = shown[at + by];
    return over && id !== 'name' && over.id !== 'name' ? over : null;
  };
  const moveBy = (by: number) => () =>
    changeColumns(scanner, (now) => moveColumn(now, id, step(by)?.id ?? id));
  return (
    <MenuSheet
      label={`${entry.label} column`}
      anchor={heading}
      onClose={() => {
        if (dialog === null) close();
      }}
    >
      {!entry.mandatory && <MenuItem onChoose={hide}>Hide column</MenuItem>}
      {step(-1) && <MenuItem onChoose={moveBy(-1)}>Move left</MenuItem>}
      {step(1) && <MenuItem onChoose={moveBy(1)}>Move right</MenuItem>}
      {!isTextColumn(id) && (
        <MenuItem staysOpen onChoose={() => setDialog('looks')}>
          Format…
        </MenuItem>
      )}
      {entry.width !== undefined && (
        <MenuItem onChoose={() => changeColumns(scanner, (now) => setLooks(now, id, { width: undefined }))}>
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
