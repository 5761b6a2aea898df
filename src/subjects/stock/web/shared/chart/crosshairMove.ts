export type PressedKey = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/**
 * The position to which a key moves a drawing's crosshair; `to: null` removes the crosshair.
 * @param at its current position; null for none, so that the first step goes to the last position
 * @returns null if the crosshair does not use the key, for example Escape without a crosshair
 */
export function crosshairMove(
  { key, ctrlKey, metaKey, altKey }: PressedKey,
  at: number | null,
  count: number,
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
