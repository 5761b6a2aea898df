import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { ScannerKey } from '../../src/domain/scanners/scanners.ts';

export type RequestedRow = { scanner: ScannerKey; code: string };

const state = signal<RequestedRow | null>(null);

/** A stock that was jumped to: its scanner shows it whatever its filters say, until they are touched or it is left. */
export const requestedRow: ReadonlySignal<RequestedRow | null> = state;

export function requestRow(row: RequestedRow): void {
  state.value = row;
}

/** Ends it, if it is this scanner's. */
export function forgetRow(scanner: ScannerKey): void {
  if (state.peek()?.scanner === scanner) state.value = null;
}
