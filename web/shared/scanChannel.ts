const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bellbird-scans');

/** The user's saved scans or chosen indicators changed. */
export const tellOfScans = (): void => channel?.postMessage('changed');

/** Called for changes in other windows. Returns the stop function. */
export function followScans(changed: () => void): () => void {
  channel?.addEventListener('message', changed);
  return () => channel?.removeEventListener('message', changed);
}
