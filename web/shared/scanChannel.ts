const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bellbird-scans');

/** Tells the other windows of this browser that the user's saved scans or chosen indicators were changed. */
export const tellOfScans = (): void => channel?.postMessage('changed');

/** Calls a function whenever another window of this browser has changed something. Returns the stop function. */
export function followScans(changed: () => void): () => void {
  channel?.addEventListener('message', changed);
  return () => channel?.removeEventListener('message', changed);
}
