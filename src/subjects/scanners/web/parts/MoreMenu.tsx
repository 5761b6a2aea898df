import { type ReactNode, useState } from 'react';
import type { DelimitedTable } from '#texts/csv.ts';
import { MenuCheck, MenuItem, MenuLine, MenuSheet } from '#ui/MenuSheet.tsx';
import type { StockScan } from '#subjects/alerts/answers/scanAlert.ts';
import { skipTarget, skipTime } from '#subjects/replay/web/shared/skipTime.ts';
import { navigate } from '#web/router/navigate.ts';
import { MARKET_PATH } from '#web/router/routes.ts';
import { oddsPath } from '#web/shared/oddsPath.ts';
import { type ExportCode, ExportMenu } from '#web/shared/export/ExportMenu.tsx';
import { joinGroup, linkGroup } from '#web/windows/linkedWindows.ts';
import { LINK_GROUPS } from '#web/windows/linkGroups.ts';

/** The tables on screen that can be exported, by title. */
export type ExportedTables = Map<string, (code: ExportCode) => DelimitedTable>;

export type MoreMenuProps = {
  anchor: HTMLElement;
  tables: { readonly current: ExportedTables };
  /** Null if there is no scanner history. */
  onHistory: (() => void) | null;
  isHistoryOpen: boolean;
  /** The scan on screen with its filters; null without conditions. */
  scan: { readonly current: StockScan | null };
  onConfigure(): void;
  /** Null if this window is already a popup. */
  onPopOut: (() => void) | null;
  /** True on phones, which have one window and no summary bar. */
  isNarrow: boolean;
  onClose(): void;
};

type Shown = { kind: 'all' } | { kind: 'groups' } | { kind: 'table'; title: string };

export function MoreMenu(props: MoreMenuProps): ReactNode {
  const { anchor, tables, onClose } = props;
  const [shown, setShown] = useState<Shown>({ kind: 'all' });
  const read = shown.kind === 'table' && tables.current.get(shown.title);
  if (read) return <ExportMenu label={shown.title} read={read} anchor={anchor} onClose={onClose} />;
  if (shown.kind === 'groups') return <GroupMenu anchor={anchor} onClose={onClose} />;
  return <AllMenu {...props} onShow={setShown} />;
}

function AllMenu(props: MoreMenuProps & { onShow(shown: Shown): void }): ReactNode {
  const { anchor, tables, onHistory, onConfigure, onPopOut, isNarrow, onShow, onClose } = props;
  const scan = props.scan.current;
  const group = LINK_GROUPS.find(({ id }) => id === linkGroup.value);
  // Next to a wider screen's market status there is a button.
  const target = isNarrow ? skipTarget.value : null;
  return (
    <MenuSheet label="More" anchor={anchor} onClose={onClose}>
      {isNarrow && <MenuItem onChoose={() => navigate(MARKET_PATH)}>Market overview</MenuItem>}
      {target !== null && <MenuItem onChoose={() => void skipTime(target)}>Go to the {target}</MenuItem>}
      {onHistory && (
        <MenuItem onChoose={onHistory}>{props.isHistoryOpen ? 'Close the history' : 'History'}</MenuItem>
      )}
      {scan && <MenuItem onChoose={() => navigate(oddsPath({ scan }))}>Does it work?</MenuItem>}
      <MenuItem onChoose={onConfigure}>Configure Columns</MenuItem>
      {onPopOut && !isNarrow && <MenuItem onChoose={onPopOut}>Pop out to new window</MenuItem>}
      <MenuLine />
      {[...tables.current.keys()].map((title) => (
        <MenuItem key={title} staysOpen onChoose={() => onShow({ kind: 'table', title })}>
          Copy or save {title}…
        </MenuItem>
      ))}
      {!isNarrow && (
        <MenuItem staysOpen onChoose={() => onShow({ kind: 'groups' })}>
          Linked windows: {group ? `${group.number} ${group.name}` : 'Not linked'}…
        </MenuItem>
      )}
    </MenuSheet>
  );
}

function GroupMenu({ anchor, onClose }: Pick<MoreMenuProps, 'anchor' | 'onClose'>): ReactNode {
  const chosen = linkGroup.value;
  return (
    <MenuSheet label="Linked windows" anchor={anchor} onClose={onClose}>
      <p className="menu-sheet-label">Charts in this group’s windows show the stock you choose here</p>
      <MenuCheck checked={chosen === 'none'} onChange={() => joinGroup('none')}>
        <span>Not linked</span>
      </MenuCheck>
      {LINK_GROUPS.map(({ id, number, name }) => (
        <MenuCheck key={id} checked={chosen === id} onChange={() => joinGroup(id)}>
          <span>
            {number} {name}
          </span>
        </MenuCheck>
      ))}
    </MenuSheet>
  );
}
