import { requestAlert } from './requestedAlert.ts';
import { readCount, readRecord, readText } from '../../../../lib/read.ts';
import { isPopup } from '../../../../../web/popup/popup.ts';

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

/** Does what popups ask of this window. Returns the stop function. */
export function serveShowAlert(): () => void {
  const listen = ({ data, origin }: MessageEvent<unknown>) => {
    const { type, symbol, alertId } = readRecord(data);
    const code = readText(symbol);
    if (origin !== window.location.origin || type !== TYPE || !code) return;
    requestAlert(code, readCount(alertId));
  };
  window.addEventListener('message', listen);
  return () => window.removeEventListener('message', listen);
}
