import { readCount, readRecord, readText } from '#lib/read.ts';
import { isPopup } from '#web/popup/popup.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { navigate } from '#web/router/navigate.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';

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

const scanState = signal<number | null>(null);

/** The alert on a scan that is to be shown in its list, by its id; null when there is none. */
export const requestedScanAlert: ReadonlySignal<number | null> = scanState;

/** Ends the request: the alert is shown, or the list was left. */
export function forgetScanAlert(): void {
  scanState.value = null;
}

function requestScanAlert(id: number): void {
  scanState.value = id;
  navigate(WATCHLIST_PATH);
}

/** Ends the request: its editor is open, or the watchlist was left. */
export function forgetAlert(): void {
  state.value = null;
}

/** What a popup asks of the window that opened it. */
const TYPE = 'bellbird.showAlert';

/** The window that opened this one; null in a main window, and once that one is closed. */
function opener(): Window | null {
  const found = window.opener as Window | null;
  return isPopup && found !== null && !found.closed ? found : null;
}

/**
 * Shows an alert in the watchlist, of this window or, in a popup, of the window that opened it.
 * @param alertId null for a new one
 */
export function showAlert(symbol: string, alertId: number | null): void {
  const main = opener();
  if (main === null) return requestAlert(symbol, alertId);
  main.postMessage({ type: TYPE, symbol, alertId }, window.location.origin);
  main.focus();
}

/** Shows an alert on a scan in the list of them, of this window or, in a popup, of the window that opened it. */
export function showScanAlert(id: number): void {
  const main = opener();
  if (main === null) return requestScanAlert(id);
  main.postMessage({ type: TYPE, scanAlertId: id }, window.location.origin);
  main.focus();
}

/** Does what popups ask of this window. Returns the stop function. */
export function serveShowAlert(): () => void {
  const listen = ({ data, origin }: MessageEvent<unknown>) => {
    const { type, symbol, alertId, scanAlertId } = readRecord(data);
    if (origin !== window.location.origin || type !== TYPE) return;
    const code = readText(symbol);
    const scanAlert = readCount(scanAlertId);
    if (scanAlert !== null) requestScanAlert(scanAlert);
    else if (code) requestAlert(code, readCount(alertId));
  };
  window.addEventListener('message', listen);
  return () => window.removeEventListener('message', listen);
}
