/**
 * Moves the focus after a removal: to the next element of the same kind, otherwise to the previous one.
 * @param kind the remaining elements, in order
 * @param index of the removed element
 * @param fallback focused if none is left
 */
export function focusNeighbour(
  kind: Iterable<HTMLElement>,
  index: number,
  fallback: HTMLElement | null | undefined,
): void {
  const left = [...kind];
  (left[index] ?? left.at(-1) ?? fallback)?.focus();
}
