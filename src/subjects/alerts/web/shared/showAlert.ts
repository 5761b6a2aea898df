import { readCount, readRecord, readText } from '#lib/read.ts';
import { isPopup } from '#web/windows/popup.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { navigate } from '#web/router/navigate.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';

export type RequestedAlert = {
  symbol: string;
  alertId: number | null;
};

const state = signal<RequestedAlert | null>(null);

/** The alert to edit, until the watchlist has opened its editor. */
export const requestedAlert: ReadonlySignal<RequestedAlert | null> = state;

/** Goes to the watchlist, which opens the editor of this alert, or of a new one if `alertId` is null. */
export function requestAlert(symbol: string, alertId: number | null = null): void {
  state.value = { symbol, alertId };
  navigate(WATCHLIST_PATH);
}

const scanState = signal<number | null>(null);

export const requestedScanAlert: ReadonlySignal<number | null> = scanState;

export function forgetScanAlert(): void {
  scanState.value = null;
}

function requestScanAlert(id: number): void {
  scanState.value = id;
  navigate(WATCHLIST_PATH);
}

export function forgetAlert(): void {
  state.value = null;
}

const TYPE = 'bellbird.showAlert';

/** The window that opened this popup; null in a main window, and if the opener was closed. */
function opener(): Window | null {
  const found = window.opener as Window | null;
  return isPopup && found !== null && !found.closed ? found : null;
}

/**
 * Shows an alert in the watchlist: of this window, or of the opener if this is a popup.
 * @param alertId null for a new one
 */
export function showAlert(symbol: string, alertId: number | null): void {
  const main = opener();
  if (main === null) return requestAlert(symbol, alertId);
  main.postMessage({ type: TYPE, symbol, alertId }, window.location.origin);
  main.focus();
}

/** Shows a scan alert in its list: of this window, or of the opener if this is a popup. */
export function showScanAlert(id: number): void {
  const main = opener();
  if (main === null) return requestScanAlert(id);
  main.postMessage({ type: TYPE, scanAlertId: id }, window.location.origin);
  main.focus();
}

/** Handles the requests of popups. Returns the stop function. */
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
