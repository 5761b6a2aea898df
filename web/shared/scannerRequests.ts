import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Breadth } from '#market/rules/breadth.ts';
import type { Securities } from '#market/rules/stockState.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';

/** A stock's row in a scanner that somebody jumped to. */
export type RequestedRow = {
  scanner: ScannerKey;
  code: string;
  /** Its news are to be opened. */
  opensNews?: true;
};

/** Stocks that the market overview counted: of one side of the market, or of one sector. */
export type MarketView = {
  side?: Breadth | undefined;
  /** As its source names it. */
  sector?: string | undefined;
  /** Undefined for shares and funds. */
  securities: Securities | undefined;
};

const row = signal<RequestedRow | null>(null);
const view = signal<MarketView | null>(null);

/**
 * The row that was jumped to last: its scanner shows it whatever its filters say, until they are changed or the scanner
 * is left. Null when there is none.
 */
export const requestedRow: ReadonlySignal<RequestedRow | null> = row;

/**
 * What the custom scanner shows for a while in place of the user's own filters, scan, columns and order. Null when it
 * shows those.
 */
export const marketView: ReadonlySignal<MarketView | null> = view;

/** Has a scanner show a row past its filters. A market view ends, because the row may not be part of it. */
export function requestRow(requested: RequestedRow): void {
  batch(() => {
    view.value = null;
    row.value = requested;
  });
}

/** Ends the request, if it is for this scanner. */
export function forgetRow(scanner: ScannerKey): void {
  if (row.peek()?.scanner === scanner) row.value = null;
}

/** Has the custom scanner show these stocks, and no other that was jumped to. */
export function requestView(requested: MarketView): void {
  batch(() => {
    forgetRow('custom');
    view.value = requested;
  });
}

/** Has the custom scanner show again what its user chose. */
export function leaveView(): void {
  view.value = null;
}
