import './HintLine.css';
import XIcon from 'lucide-react/icons/x';
import { useState } from 'react';
import type { ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import { readList, readText } from '../../../src/lib/read.ts';
import { route } from '../../shared/router/router.ts';
import type { ScreenName } from '../../shared/router/routes.ts';
import { hintsKey } from '../../shared/session/newUser.ts';
import { session } from '../../shared/session/session.ts';
import { readStored, writeStored } from '../../shared/storage.ts';
import { IconButton } from '../../ui/Button.tsx';

const INTRADAY = {
  name: 'intraday',
  text: 'Stocks that rise today, the strongest first. Click a heading to sort; filters stay as you set them.',
};

/** By scanner and by screen; those with one name share one line. */
const HINTS: Partial<Record<ScannerKey | ScreenName, { name: string; text: string }>> = {
  preMarket: {
    name: 'pre-market',
    text: 'Stocks that the opening auction would start above their previous close. Open a row for its news.',
  },
  intraDaySmall: INTRADAY,
  intraDayMidLarge: INTRADAY,
  intraDayLargeCap: INTRADAY,
  custom: {
    name: 'custom',
    text: 'Every stock there is. A new scan leaves those that meet conditions of your own.',
  },
  calls: {
    name: 'calls',
    text: 'Trade ideas of everybody here, followed on the market’s prices. Add Call posts yours; it can’t be edited later.',
  },
  settings: {
    name: 'settings',
    text: 'Choose and order the columns of each table here, and the site that a stock’s name links to.',
  },
};

const accept = (value: unknown): string[] | null => (Array.isArray(value) ? readList(value, readText) : null);

/** One line about the screen for somebody who is new here, until they dismiss it; kept per user in this browser. */
export function HintLine() {
  const [, setDismissed] = useState(0);
  const shown = route.value;
  const hint = shown && HINTS[shown.tab?.scanner ?? shown.screen];
  const key = hintsKey(session.value.accessToken);
  const dismissed = key === null ? null : readStored(key, accept);
  if (!hint || key === null || dismissed === null || dismissed.includes(hint.name)) return null;
  const dismiss = () => {
    writeStored(key, [...dismissed, hint.name]);
    setDismissed(dismissed.length + 1);
    document.getElementById('main')?.focus();
  };
  return (
    <aside className="hint-line" aria-label="Hint">
      <p>{hint.text}</p>
      <IconButton label="Dismiss hint" onClick={dismiss}>
        <XIcon size={16} aria-hidden />
      </IconButton>
    </aside>
  );
}
