/**
 * Gives the focus to what took the place of something that was removed: the next of its kind, else the one before.
 * @param kind the elements of its kind that are left, in order
 * @param index where it stood among them
 * @param fallback has the focus when none is left
 */
export function focusNeighbour(
  kind: Iterable<HTMLElement>,
  index: number,
  fallback: HTMLElement | null | undefined,
): void {
  const left = [...kind];
  (left[index] ?? left.at(-1) ?? fallback)?.focus();
}
