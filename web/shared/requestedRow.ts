import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { ScannerKey } from '../../src/subjects/scanners/rules/scanners.ts';

/** A stock's row in a scanner that somebody jumped to. */
export type RequestedRow = {
  scanner: ScannerKey;
  code: string;
  /** Its news are to be opened. */
  opensNews?: true;
};

const state = signal<RequestedRow | null>(null);

/**
 * The row that was jumped to last: its scanner shows it whatever its filters say, until they are changed or the scanner
 * is left. Null when there is none.
 */
export const requestedRow: ReadonlySignal<RequestedRow | null> = state;

/** Has a scanner show a row past its filters. */
export function requestRow(row: RequestedRow): void {
  state.value = row;
}

/** Ends the request, if it is for this scanner. */
export function forgetRow(scanner: ScannerKey): void {
  if (state.peek()?.scanner === scanner) state.value = null;
}
