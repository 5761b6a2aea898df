import { type ReadonlySignal, signal } from '@preact/signals-react';
import { navigate } from '#web/router/navigate.ts';
import { CALLS_PATH } from '#web/router/routes.ts';

type RequestedCall = { symbol: string | null };

const state = signal<RequestedCall | null>(null);

/** The requested call, until its form is closed. */
export const requestedCall: ReadonlySignal<RequestedCall | null> = state;

export function requestCall(symbol: string | null): void {
  state.value = { symbol };
  navigate(CALLS_PATH);
}

export function forgetCall(): void {
  state.value = null;
}

const turns = signal(0);

/** Changes when the user's own calls may have changed, in any window. */
export const ownCallTurns: ReadonlySignal<number> = turns;

export function ownCallsChanged(): void {
  turns.value = turns.peek() + 1;
}
