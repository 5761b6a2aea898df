import { type ReadonlySignal, signal } from '@preact/signals-react';
import { navigate } from '#web/router/navigate.ts';
import { CALLS_PATH } from '#web/router/routes.ts';

/** A call that somebody wants to add, of a symbol where one was meant. */
export type RequestedCall = { symbol: string | null };

const state = signal<RequestedCall | null>(null);

/** The call that is to be added, until its form on the Calls page is closed; null when there is none. */
export const requestedCall: ReadonlySignal<RequestedCall | null> = state;

/** Goes to the Calls page and has it open the form of a new call. */
export function requestCall(symbol: string | null): void {
  state.value = { symbol };
  navigate(CALLS_PATH);
}

/** Ends the request: its form was closed, or its page was left. */
export function forgetCall(): void {
  state.value = null;
}
