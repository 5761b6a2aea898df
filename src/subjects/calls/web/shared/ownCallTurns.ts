import { type ReadonlySignal, signal } from '@preact/signals-react';

const turns = signal(0);

/** Another number whenever the signed-in user's own calls may be other than before, in whatever window that was done. */
export const ownCallTurns: ReadonlySignal<number> = turns;

/** The server said that own calls changed, or that something of them may have been missed. */
export function ownCallsChanged(): void {
  turns.value = turns.peek() + 1;
}
