import { type ReadonlySignal, signal } from '@preact/signals-react';

const count = signal(0);

/** Counts up whenever the user's alerts on whole scans may be others than before: what lists them reads them again. */
export const scanAlertTurns: ReadonlySignal<number> = count;

/** One was added, changed or removed, or told something, in whatever window or way. */
export function scanAlertsChanged(): void {
  count.value += 1;
}
