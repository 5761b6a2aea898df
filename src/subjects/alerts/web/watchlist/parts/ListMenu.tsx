import { type FormEvent, type ReactNode, useState } from 'react';
import { MAX_LIST_NAME, type WatchlistView } from '#subjects/alerts/rules/watchlist.ts';
import { scanAlertTitle } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchScanAlerts, newNewsAlert, useWork } from '../../shared/alertRequests.ts';
import { NewsAlertDialog } from '../../shared/lateAlertDialogs.tsx';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { MenuItem, MenuLine, MenuSheet, type MenuSheetProps } from '#ui/MenuSheet.tsx';
import { TextField } from '#ui/Field.tsx';
import { addList, deleteList, items, moveList, renameList, showFailure, watchlists } from '../state.ts';

type ListMenuProps = { list: WatchlistView; anchor: HTMLElement; onClose(): void };

export function ListMenu({ list, anchor, onClose }: ListMenuProps): ReactNode {
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'announcements' | null>(null);
  const lists = watchlists.value;
  const at = lists.findIndex(({ id }) => id === list.id);
  const move = (position: number) => () =>
    void tried(() => moveList(list, position), 'Failed to move the list');
  if (dialog === 'rename') return <ListNameDialog list={list} onClose={onClose} />;
  if (dialog === 'delete') return <DeleteListDialog list={list} onClose={onClose} />;
  if (dialog === 'announcements') return <ListNewsAlert list={list} onClose={onClose} />;
  return (
    <MenuSheet label={list.name} anchor={anchor} onClose={onClose}>
      <MenuItem staysOpen onChoose={() => setDialog('announcements')}>
        Alert me on announcements…
      </MenuItem>
      <MenuLine />
      <MenuItem staysOpen onChoose={() => setDialog('rename')}>
        Rename…
      </MenuItem>
      {at > 0 && <MenuItem onChoose={move(at - 1)}>Move left</MenuItem>}
      {at < lists.length - 1 && <MenuItem onChoose={move(at + 1)}>Move right</MenuItem>}
      {lists.length > 1 && (
        <>
          <MenuLine />
          <MenuItem staysOpen onChoose={() => setDialog('delete')}>
            Delete…
          </MenuItem>
        </>
      )}
    </MenuSheet>
  );
}

/** A new alert on the price-sensitive announcements of a list. */
function ListNewsAlert({ list: { id, name }, onClose }: { list: WatchlistView; onClose(): void }): ReactNode {
  const [draft] = useState(() => {
    const usual = newNewsAlert({ scope: 'market' });
    const filters = { minValue: 0, sensitiveOnly: true as const, lists: [{ id, name }] };
    return { ...usual, scan: { ...usual.scan, filters } };
  });
  return <NewsAlertDialog alert={null} draft={draft} onClose={onClose} />;
}

/** Runs an action; a failure is shown above the tables. */
async function tried(work: () => Promise<void>, failed: string): Promise<void> {
  try {
    showFailure(null);
    await work();
  } catch (problem) {
    showFailure(messageOf(problem, failed));
  }
}

type ListNameDialogProps = {
  list: WatchlistView | null;
  onClose(): void;
};

function useListName(list: WatchlistView | null, onDone: () => void) {
  const [name, setName] = useState(list?.name ?? '');
  const { error, isBusy, work, dismiss } = useWork('Failed to save the list');
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (await work(() => (list === null ? addList(name) : renameList(list, name)))) onDone();
  };
  const type = (typed: string) => {
    setName(typed);
    dismiss();
  };
  return { name, error, isBusy, type, send };
}

export function ListNameDialog({ list, onClose }: ListNameDialogProps): ReactNode {
  const { name, error, isBusy, type, send } = useListName(list, onClose);
  return (
    <DialogSheet
      open
      title={list === null ? 'New list' : `Rename ${list.name}`}
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="list-name" disabled={isBusy}>
            {isBusy ? 'Saving…' : list === null ? 'Add list' : 'Rename'}
          </Button>
        </>
      }
    >
      <form id="list-name" onSubmit={(event) => void send(event)}>
        <TextField
          label="Name"
          value={name}
          maxLength={MAX_LIST_NAME}
          autoComplete="off"
          error={error}
          onChange={({ target }) => type(target.value)}
        />
      </form>
    </DialogSheet>
  );
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** What is deleted together with a list: its symbols, and the alerts on symbols that no other list has. */
function goesWith(list: WatchlistView): string {
  const others = new Set(watchlists.peek().flatMap(({ id, symbols }) => (id === list.id ? [] : symbols)));
  const lost = (items.peek() ?? []).filter(({ symbol, alertCount }) => alertCount > 0 && !others.has(symbol));
  const alerts = lost.reduce((sum, { alertCount }) => sum + alertCount, 0);
  const what = `${counted(list.symbols.length, 'symbol')} with notes and targets`;
  if (alerts === 0) return `Also deletes its ${what}. No alerts are deleted.`;
  return `Also deletes its ${what}, and ${counted(alerts, 'alert')} on ${lost.map(({ symbol }) => symbol).join(', ')} (on no other list).`;
}

function filteringText([first, ...others]: readonly ScanAlertView[]): string {
  if (first === undefined || others.length > 0) {
    return `${others.length + 1} alerts filter by this list. Without it they need another scan or list.`;
  }
  return `The alert “${first.name ?? scanAlertTitle(first)}” filters by this list. Without it the alert needs another ${first.scan.type === 'announcements' ? 'list' : 'scan'}.`;
}

function DeleteListDialog({ list, onClose }: { list: WatchlistView; onClose(): void }): ReactNode {
  const { data } = useLoaded(fetchScanAlerts, MESSAGES.watchlist.loadAlerts);
  const filtering = (data?.scan_alerts ?? []).filter(({ scan: { filters } }) => {
    const lists = filters?.lists;
    return lists !== undefined && lists !== 'all' && lists.some(({ id }) => id === list.id);
  });
  const remove = async () => {
    onClose();
    await tried(() => deleteList(list), 'Failed to delete the list');
  };
  return (
    <ConfirmDialog
      open
      title={`Delete ${list.name}?`}
      action="Delete list"
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      <p>{goesWith(list)}</p>
      {filtering.length > 0 && <p>{filteringText(filtering)}</p>}
    </ConfirmDialog>
  );
}

type ScanAlertMenuProps = Omit<MenuSheetProps, 'children'> & {
  /** True if the history is shown. */
  isOpen: boolean;
  onHistory(): void;
  /** Null if the alert is off or already snoozed. */
  onSnooze: (() => void) | null;
  onDelete(): void;
};

export const ScanAlertMenu = (props: ScanAlertMenuProps): ReactNode => {
  const { isOpen, onHistory, onSnooze, onDelete, ...menu } = props;
  return (
    <MenuSheet {...menu}>
      <MenuItem onChoose={onHistory}>{isOpen ? 'Hide history' : 'History'}</MenuItem>
      {onSnooze && <MenuItem onChoose={onSnooze}>Snooze 1 h</MenuItem>}
      <MenuItem onChoose={onDelete}>Delete</MenuItem>
    </MenuSheet>
  );
};
