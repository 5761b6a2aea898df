import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Breadth } from '#market/rules/breadth.ts';
import type { Securities } from '#market/rules/stockState.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';

export type RequestedRow = {
  scanner: ScannerKey;
  code: string;
  opensNews?: true;
};

/** Stocks of the market overview: one side of the market, or one sector. */
export type MarketView = {
  side?: Breadth | undefined;
  sector?: string | undefined;
  /** Undefined for shares and funds together. */
  securities: Securities | undefined;
};

const row = signal<RequestedRow | null>(null);
const view = signal<MarketView | null>(null);

/** The row to show. Its scanner shows it despite filters, until they change or the user leaves the scanner. */
export const requestedRow: ReadonlySignal<RequestedRow | null> = row;

/** The view that temporarily replaces the user's filters, scan, columns and order in the custom scanner. */
export const marketView: ReadonlySignal<MarketView | null> = view;

/** Requests a row. Ends a market view, because the row may not be part of it. */
export function requestRow(requested: RequestedRow): void {
  batch(() => {
    view.value = null;
    row.value = requested;
  });
}

export function forgetRow(scanner: ScannerKey): void {
  if (row.peek()?.scanner === scanner) row.value = null;
}

export function requestView(requested: MarketView): void {
  batch(() => {
    forgetRow('custom');
    view.value = requested;
  });
}

export function leaveView(): void {
  view.value = null;
}
