import type { ReactNode } from 'react';
import { MenuItem, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';

type ScanMenuProps = {
  anchor: HTMLElement;
  /** Number of chosen indicators. */
  indicators: number;
  /** Null without a saved scan. */
  onDuplicate: (() => void) | null;
  onDelete: (() => void) | null;
  onIndicators(): void;
  onColumn(): void;
  onClose(): void;
};

export function ScanMenu(props: ScanMenuProps): ReactNode {
  const { anchor, indicators, onDuplicate, onDelete, onIndicators, onColumn, onClose } = props;
  return (
    <MenuSheet label="Scan menu" anchor={anchor} onClose={onClose}>
      {onDuplicate && <MenuItem onChoose={onDuplicate}>Duplicate</MenuItem>}
      {onDelete && <MenuItem onChoose={onDelete}>Delete…</MenuItem>}
      {onDuplicate && <MenuLine />}
      <MenuItem onChoose={onIndicators}>
        {indicators === 0 ? 'Indicators…' : `Indicators (${indicators})…`}
      </MenuItem>
      <MenuItem onChoose={onColumn}>Add a column…</MenuItem>
    </MenuSheet>
  );
}
