import { readRecord, readText } from '../../../../lib/read.ts';

const CHANNEL = 'bellbird-toasts';

/** Says in every other window of this browser that a toast was dismissed here; null for all of them. */
export function tellDismissed(key: string | null): void {
  const channel = open();
  channel?.postMessage({ dismissed: key });
  channel?.close();
}

/** @param dismissed takes the key of a toast that was dismissed in another window; null for all. Returns the stop function. */
export function onDismissed(dismissed: (key: string | null) => void): () => void {
  const channel = open();
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => dismissed(readText(readRecord(data).dismissed));
  return () => channel?.close();
}

const open = (): BroadcastChannel | null =>
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
