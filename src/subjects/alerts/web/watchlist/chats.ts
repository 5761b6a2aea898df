import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { Destinations } from '../../rules/alert.ts';
import { onReconnect } from '../../../../../web/shared/onReconnect.ts';
import { fetchLinkedChats, type LinkedChat, platformsOf } from '../../../chats/web/shared/linkedChats.ts';

const list = signal<readonly LinkedChat[] | null>(null);
const hasFailed = signal(false);

/** The user's linked chats; null until they are loaded. */
export const chats: ReadonlySignal<readonly LinkedChat[] | null> = list;
/** Whether the last load failed. */
export const chatsFailed: ReadonlySignal<boolean> = hasFailed;

let newest = 0;

/**
 * Loads the linked chats; what was loaded before stays when it fails. When loads overlap, the one that was started last
 * wins.
 */
export async function loadChats(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const loaded = await fetchLinkedChats();
    if (own !== newest) return;
    list.value = loaded;
    hasFailed.value = false;
  } catch (problem) {
    if (own !== newest) return;
    console.warn('The linked chats could not be loaded.', problem);
    hasFailed.value = true;
    onReconnect(loadMissing);
  }
}

function loadMissing(): void {
  if (hasFailed.peek()) void loadChats();
}

/** The platforms on which there is a chat. */
export const linkedPlatforms = (): Destinations => platformsOf(list.peek() ?? []);

/** Forgets the chats, when the session ends. */
export function resetChats(): void {
  newest += 1;
  list.value = null;
  hasFailed.value = false;
}
