export type RowKeyActions = {
  /** Moves the active row; far beyond an end stops there. */
  move(by: number): void;
  toggle(): void;
  /** Closes what is open; false when nothing was. */
  close(): boolean;
  leave(): void;
};

const PAGE = 20;
const TO_END = 1_000_000;

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -TO_END,
  End: TO_END,
};

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** How far a key moves the active row; undefined when it does not. */
export const moveOf = (event: Key): number | undefined =>
  event.ctrlKey || event.metaKey || event.altKey ? undefined : MOVES[event.key];

/** Whether a key asks for the menu of what has the focus. */
export const isMenuKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** The attribute of a box from which Enter and the down arrow go on to the first row of the page's main table. */
export const LEADS_INTO_TABLE = { 'data-leads-into-table': '' };

/** Whether an element has `LEADS_INTO_TABLE`. */
export const leadsIntoTable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.leadsIntoTable !== undefined;

/** How far a key in such a box moves the active row: to the first. Undefined for every other key. */
export const entryOf = ({ key, ctrlKey, metaKey, altKey }: Key): number | undefined =>
  (key === 'Enter' || key === 'ArrowDown') && !(ctrlKey || metaKey || altKey) ? -TO_END : undefined;

/**
 * Does what a key means on a row: arrows, j, k, Page Up and Down, Home and End move; Enter opens or closes; Escape
 * closes, then leaves the table.
 * @returns true when the key was used
 */
export function handleRowKey(event: Key, actions: RowKeyActions): boolean {
  const by = moveOf(event);
  if (by !== undefined) {
    actions.move(by);
    return true;
  }
  if (event.key === 'Enter') {
    actions.toggle();
    return true;
  }
  if (event.key === 'Escape') {
    if (!actions.close()) actions.leave();
    return true;
  }
  return false;
}
