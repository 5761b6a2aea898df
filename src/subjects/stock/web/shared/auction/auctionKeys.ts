type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/**
 * Where a key moves the crosshair to: a change's place, null to leave them.
 * @param at the one that it is on; null when it is on none: then the first step goes to the newest
 * @returns null when the key is not the drawing's, such as Escape when the crosshair is on nothing
 */
export function auctionKey(
  { key, ctrlKey, metaKey, altKey }: Key,
  { at, count }: { at: number | null; count: number },
): { to: number | null } | null {
  if (ctrlKey || metaKey || altKey) return null;
  const last = count - 1;
  const to = (place: number) => ({ to: count === 0 ? null : Math.min(last, Math.max(0, place)) });
  switch (key) {
    case 'ArrowLeft':
      return to(at === null ? last : at - 1);
    case 'ArrowRight':
      return to(at === null ? last : at + 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'Escape':
      return at === null ? null : { to: null };
    default:
      return null;
  }
}
