import { isRecord } from '#lib/json.ts';
import { ApiError } from '#web/api/client.ts';
import { isPopup } from '#web/windows/popup.ts';
import { navigate } from '#web/router/navigate.ts';
import { hasExpired } from '#subjects/accounts/web/shared/session/session.ts';
import { fetchDevices } from './devices.ts';
import { browserAbility, forgetHere, renewHere, startWorker, thisDeviceId } from './thisBrowser.ts';

const warn = (what: string) => (problem: unknown) => console.warn(what, problem);

/** A device that is remembered here tells the server where it is reached by now; one that was removed is forgotten. */
async function renew(id: number): Promise<void> {
  const { publicKey } = await fetchDevices();
  if (publicKey === null) return;
  try {
    await renewHere(id, publicKey);
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.status !== 404) throw problem;
    await forgetHere();
  }
}

/** A notification was pressed: this window shows its page, unless it is a window of its own for one screen. */
function takePress({ data, ports }: MessageEvent<unknown>): void {
  if (isPopup || !isRecord(data) || data['type'] !== 'bellbird.open') return;
  const { page } = data;
  ports[0]?.postMessage('taken');
  if (typeof page === 'string' && page.startsWith('#/')) navigate(page.slice(1));
}

/**
 * Keeps this browser's worker and registration alive while somebody is signed in. Returns what is to be done at the end:
 * who logs out is not shown the account's alerts here any more.
 */
export function followDevice(): () => void {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return () => {};
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', takePress);
  // What was said before the listener was there.
  serviceWorker.startMessages();
  const id = thisDeviceId();
  if (id !== null && browserAbility() === 'able') {
    renew(id).catch(warn('This device could not be renewed.'));
  } else startWorker().catch(warn('The worker for notifications could not be started.'));
  return () => {
    serviceWorker.removeEventListener('message', takePress);
    if (thisDeviceId() !== null && !hasExpired())
      forgetHere().catch(warn('This device could not be forgotten.'));
  };
}
