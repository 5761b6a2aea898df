import { type ReadonlySignal, signal } from '@preact/signals-react';
import { navigate } from '../../../../../web/router/navigate.ts';
import { WATCHLIST_PATH } from '../../../../../web/router/routes.ts';

/** An alert that somebody wants to set or to see, on a symbol that need not be on the watchlist yet. */
export type RequestedAlert = {
  symbol: string;
  /** Null for a new one. */
  alertId: number | null;
};

const state = signal<RequestedAlert | null>(null);

/** The alert whose editor is to be opened, until the watchlist has opened it; null when there is none. */
export const requestedAlert: ReadonlySignal<RequestedAlert | null> = state;

/** Goes to the watchlist and has it open the editor of an alert on this symbol: of a new one, or of the one that is named. */
export function requestAlert(symbol: string, alertId: number | null = null): void {
  state.value = { symbol, alertId };
  navigate(WATCHLIST_PATH);
}

/** Ends the request: its editor is open, or the watchlist was left. */
export function forgetAlert(): void {
  state.value = null;
}
