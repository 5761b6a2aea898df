import { computed } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { Pill } from '../ui/Pill.tsx';
import { meta } from './market.ts';

const feedLabel = computed(() => meta.value?.feed?.label ?? null);

/** The source's label, for example 'Simulated', on screens without a scanner strip. */
export function FeedPill(): ReactNode {
  return feedLabel.value && <Pill>{feedLabel.value}</Pill>;
}
