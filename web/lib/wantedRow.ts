import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { ScannerKey } from '../../src/domain/scanners.ts';

export type WantedRow = { scanner: ScannerKey; code: string };

const state = signal<WantedRow | null>(null);

/** A stock that was jumped to: its scanner shows it whatever its filters say, until they are touched or it is left. */
export const wantedRow: ReadonlySignal<WantedRow | null> = state;

export function wantRow(row: WantedRow): void {
  state.value = row;
}

/** Ends it, if it is this scanner's. */
export function forgetRow(scanner: ScannerKey): void {
  if (state.peek()?.scanner === scanner) state.value = null;
}
