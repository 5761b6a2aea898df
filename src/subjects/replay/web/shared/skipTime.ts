import { computed, type ReadonlySignal } from '@preact/signals-react';
import { messageOf, request } from '#web/api/client.ts';
import { hasOwnTime } from '#web/live/FeedPill.tsx';
import { currentLabel } from '#web/live/marketHours.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { administers } from '#web/shared/settings.ts';

type SkipTarget = 'pre-open' | 'open';

const maySkip = computed(() => hasOwnTime.value && (administers.value || appInfo.value?.test === true));

/** The next pre-open of the simulated market, or from there the open; null if the user may not move the market. */
export const skipTarget: ReadonlySignal<SkipTarget | null> = computed(() => {
  if (!maySkip.value) return null;
  return currentLabel.value === 'Pre-Open' ? 'open' : 'pre-open';
});

export async function skipTime(to: SkipTarget): Promise<void> {
  try {
    await request('POST /api/simulator/skip', { body: { to } });
  } catch (refused) {
    showBriefly(messageOf(refused, 'The action failed. Try again.'));
  }
}
