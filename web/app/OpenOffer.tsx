import XIcon from 'lucide-react/icons/x';
import { computed } from '@preact/signals-react';
import { useState } from 'react';
import { defaultScannerRoute } from '#market/rules/sessionClock.ts';
import { marketLabel } from '#market/rules/marketStatus.ts';
import { readText } from '#lib/read.ts';
import { meta } from '../live/market.ts';
import { route } from '../router/router.ts';
import { readStored, writeStored } from '../shared/storage.ts';
import { IconButton } from '../ui/Button.tsx';

/** The session, by its date, for which the offer was dismissed in this browser. */
const KEY = 'bellbird.openOffer';

/** Of what comes with every tick only this is needed. */
const sessionDate = computed(() => meta.value?.dateToday);

/**
 * On the pre-market scanner, where every login ends, the way to where the market is once it is open.
 * @param now the market's time, epoch ms
 */
export function OpenOffer({ now }: { now: number }) {
  const [dismissed, setDismissed] = useState(() => readStored(KEY, readText));
  const today = sessionDate.value;
  const isOffered = route.value?.tab?.scanner === 'preMarket' && marketLabel(now) === 'Intraday';
  if (!isOffered || today === undefined || dismissed === today) return null;
  const dismiss = () => {
    writeStored(KEY, today);
    setDismissed(today);
  };
  return (
    <span className="open-offer">
      <a href={`#${defaultScannerRoute(now)}`}>Market is open: go to Intraday</a>
      <IconButton label="Dismiss" onClick={dismiss}>
        <XIcon size={14} aria-hidden />
      </IconButton>
    </span>
  );
}
