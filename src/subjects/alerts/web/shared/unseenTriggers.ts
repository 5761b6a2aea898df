import { computed, type ReadonlySignal, signal } from '@preact/signals-react';

const unseen = signal(0);
const isHidden = signal(false);

/** How many triggers the user has not seen on the watchlist yet. */
export const unseenTriggers: ReadonlySignal<number> = unseen;
/** Stands before the window's title while the window is out of sight: '(3) '. */
export const titlePrefix: ReadonlySignal<string> = computed(() =>
  isHidden.value && unseen.value > 0 ? `(${unseen.value}) ` : '',
);

/** Says how many triggers are unseen. */
export function publishUnseen(count: number): void {
  unseen.value = count;
}

/** Says whether this window is out of sight. */
export function publishHidden(next: boolean): void {
  isHidden.value = next;
}
