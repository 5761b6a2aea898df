/** What a user may do with a table's columns in its own header. */
export type ColumnActions = {
  /** Whether a column can be resized and has a menu. */
  canChange(id: string): boolean;
  /** Whether it can be moved. */
  canMove(id: string): boolean;
  /** @param width px */
  resize(id: string, width: number): void;
  /** Puts the first column in the place of the second. */
  move(id: string, overId: string): void;
  /** @param heading what the menu belongs to, and stands under */
  openMenu(id: string, heading: HTMLElement): void;
};

/** px that a key makes a column wider or narrower. */
const RESIZE_STEP = 8;

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Does what a key means on a heading: Alt with the arrows moves its column, with Shift besides it makes it narrower or
 * wider.
 * @param ids the columns in the order in which they stand
 * @param width the column's own now, px
 * @returns true when the key was used
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
