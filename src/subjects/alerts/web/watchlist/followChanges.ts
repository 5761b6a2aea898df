import type { ReadonlySignal } from '@preact/signals-react';
import { alertStreamState, listenToAlerts } from '../shared/alertStream.ts';
import { scanAlertTurns } from '../shared/scanAlerts/scanAlertTurns.ts';

/** What comes together, as the triggers of one tick and what they caused, is read together. */
const GATHER_MS = 300;

/** Tells every value but the present one. */
function onChange<T>(source: ReadonlySignal<T>, tell: (value: T) => void): () => void {
  let known = source.peek();
  return source.subscribe((value) => {
    if (value !== known) tell(value);
    known = value;
  });
}

/**
 * Calls back shortly after the alert stream told that an alert of the user's, on a stock or on a scan, fired or was changed in
 * whatever way. Returns the stop function.
 */
export function followChanges(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const gather = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, GATHER_MS);
  };
  const stopAlerts = listenToAlerts(gather);
  const stopScans = onChange(scanAlertTurns, gather);
  // What fired before the stream was there, nobody told.
  const stopLink = onChange(alertStreamState, (link) => {
    if (link === 'live') gather();
  });
  return () => {
    stopAlerts();
    stopScans();
    stopLink();
    clearTimeout(timer);
  };
}
