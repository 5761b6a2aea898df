const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bellbird-scans');

/** Notifies other windows that the user's saved scans or chosen indicators changed. */
export const announceScans = (): void => channel?.postMessage('changed');

/** Calls back when other windows change scans. Returns the stop function. */
export function followScans(changed: () => void): () => void {
  channel?.addEventListener('message', changed);
  return () => channel?.removeEventListener('message', changed);
}
