/** Changes that users can make to columns in a table's header. */
export type ColumnActions = {
  canChange(id: string): boolean;
  canMove(id: string): boolean;
  resize(id: string, width: number): void;
  move(id: string, overId: string): void;
  openMenu(id: string, heading: HTMLElement): void;
};

/** Change of the width per key press, px. */
const RESIZE_STEP = 8;

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Handles a key on a heading: Alt with arrows moves its column, with Shift it resizes it.
 * @param ids the columns in order
 * @param width the column's current width, px
 * @returns true if the key was used
 */
export function handleHeadingKey(
  press: Press,
  heading: { id: string; ids: readonly string[]; width: number },
  actions: ColumnActions,
): boolean {
  const by = press.key === 'ArrowLeft' ? -1 : press.key === 'ArrowRight' ? 1 : 0;
  if (by === 0 || !press.altKey || press.ctrlKey || press.metaKey) return false;
  const { id, ids, width } = heading;
  if (press.shiftKey) {
    actions.resize(id, width + by * RESIZE_STEP);
    return true;
  }
  const overId = ids[ids.indexOf(id) + by];
  if (overId !== undefined && actions.canMove(id) && actions.canMove(overId)) actions.move(id, overId);
  return true;
}
