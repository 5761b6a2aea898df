import { type AlertEvent, listenToAlerts } from '../../shared/alertStream.ts';
import { loadWatchlist } from '../state.ts';
import { loadAlerts, loadedAlerts, tellTrigger } from './alertStore.ts';

/** What comes together, such as the echo of a save and what it caused, is read together. */
const GATHER_MS = 150;

/**
 * Puts a trigger into its alert's editor at once, and reads again what the alert stream says was changed: the list, and the
 * alerts that were loaded. Those that are being edited are left alone. Returns the stop function.
 */
export function followAlertEvents(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let symbols = new Set<string>();
  let isList = false;

  const read = (): void => {
    timer = undefined;
    const due = symbols;
    symbols = new Set();
    if (isList) void loadWatchlist();
    isList = false;
    for (const symbol of due) void loadAlerts(symbol);
  };
  const gather = (event: AlertEvent): void => {
    if (event.type === 'triggered') {
      if (event.trigger.of === 'scan') return;
      tellTrigger(event.trigger);
    }
    const symbol = event.type === 'triggered' ? event.trigger.symbol : event.symbol;
    const loaded = loadedAlerts.peek();
    if (symbol === null) symbols = new Set(loaded.keys());
    else if (loaded.has(symbol)) symbols.add(symbol);
    isList ||= event.type === 'changed';
    timer ??= setTimeout(read, GATHER_MS);
  };

  const stop = listenToAlerts(gather);
  return () => {
    stop();
    clearTimeout(timer);
  };
}
