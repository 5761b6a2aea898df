import { type ReadonlySignal, signal } from '@preact/signals-react';
import { navigate } from '../router/navigate.ts';
import { WATCHLIST_PATH } from '../router/routes.ts';

/** An alert that somebody wants to set, on a symbol that need not be on the watchlist yet. */
export type RequestedAlert = { symbol: string };

const state = signal<RequestedAlert | null>(null);

/** The alert that is to be set, until the watchlist has opened its editor; null when there is none. */
export const requestedAlert: ReadonlySignal<RequestedAlert | null> = state;

/** Goes to the watchlist and has it open the editor of a new alert on this symbol. */
export function requestAlert(symbol: string): void {
  state.value = { symbol };
  navigate(WATCHLIST_PATH);
}

/** Ends the request: its editor is open, or the watchlist was left. */
export function forgetAlert(): void {
  state.value = null;
}
