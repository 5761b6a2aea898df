import { computed, type ReadonlySignal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { Pill } from '../ui/Pill.tsx';
import { meta } from './market.ts';

/** Whether the simulated market runs its own day, because the exchange is closed. */
export const hasOwnTime: ReadonlySignal<boolean> = computed(
  () => meta.value?.feed?.name === 'simulator' && meta.value.clockOffsetMs !== 0,
);

/** The source's label: 'Delayed 20 min', 'Simulated', or 'Simulated time' if the clock is simulated too. */
export const feedLabel: ReadonlySignal<string | null> = computed(() => {
  const label = meta.value?.feed?.label ?? null;
  return label !== null && hasOwnTime.value ? `${label} time` : label;
});

/** The source's label on screens without a scanner strip. */
export function FeedPill(): ReactNode {
  return feedLabel.value && <Pill>{feedLabel.value}</Pill>;
}
