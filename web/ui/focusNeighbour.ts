/**
 * Moves the focus after a removal: to the next element of its kind, otherwise the previous one.
 * @param kind the remaining elements, in order
 * @param index of the removed one
 * @param fallback if none is left
 */
export function focusNeighbour(
  kind: Iterable<HTMLElement>,
  index: number,
  fallback: HTMLElement | null | undefined,
): void {
  const left = [...kind];
  (left[index] ?? left.at(-1) ?? fallback)?.focus();
}
