import { Menu } from '@base-ui/react/menu';
import type { ComponentProps, ReactNode } from 'react';
import { useBackCloses } from './sheetHistory.ts';

export type MenuSheetProps = {
  label: string;
  anchor: ComponentProps<typeof Menu.Positioner>['anchor'];
  onClose(): void;
  children: ReactNode;
};

/** A menu that is open while mounted. Import it lazily, because it loads Base UI. */
export function MenuSheet({ label, anchor, onClose, children }: MenuSheetProps): ReactNode {
  useBackCloses(true, onClose);
  return (
    <Menu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* A landmark, because screen readers look for content in those. */}
      <Menu.Portal role="region" aria-label="Menu">
        <Menu.Positioner className="menu-sheet-place" anchor={anchor} align="start" sideOffset={2}>
          {/* The key that opened the menu may request one again when it is released. */}
          <Menu.Popup
            className="menu-sheet popup"
            aria-label={label}
            onContextMenu={(event) => event.preventDefault()}
          >
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

type MenuItemProps = {
  onChoose(): void;
  staysOpen?: boolean;
  keyName?: string;
  children: ReactNode;
};

export function MenuItem({ onChoose, staysOpen = false, keyName, children }: MenuItemProps): ReactNode {
  return (
    <Menu.Item className="menu-sheet-item" closeOnClick={!staysOpen} onClick={onChoose}>
      <span>{children}</span>
      {keyName !== undefined && (
        <kbd className="menu-sheet-key" aria-hidden="true">
          {keyName}
        </kbd>
      )}
    </Menu.Item>
  );
}

export const MenuLine = (): ReactNode => <Menu.Separator className="menu-sheet-line" />;

type MenuCheckProps = { checked: boolean; onChange(checked: boolean): void; children: ReactNode };

export function MenuCheck({ checked, onChange, children }: MenuCheckProps): ReactNode {
  return (
    <Menu.CheckboxItem
      className="menu-sheet-item"
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
    >
      <span className="menu-sheet-check" aria-hidden="true">
        {checked && '✓'}
      </span>
      {children}
    </Menu.CheckboxItem>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-sheet-label">{label}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  );
}
