import XIcon from 'lucide-react/icons/x';
import { useState } from 'react';
import { readList, readText } from '#lib/read.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { hintsKey } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { route } from '../router/router.ts';
import type { ScreenName } from '../router/routes.ts';
import { offeredActions, SORT_BY_CHANGE } from '../shared/actions.ts';
import { settings } from '../shared/settings.ts';
import { readStored, writeStored } from '../shared/storage.ts';
import { Button, IconButton } from '../ui/Button.tsx';

type Hint = {
  name: string;
  text: string;
  /** Name of an action that the screen offers with `useActions`. */
  action?: string;
};

const INTRADAY: Hint = {
  name: 'intraday',
  text: 'Today’s movers. Click a heading to sort.',
};

const BY_PIPS: Hint = { ...INTRADAY, action: SORT_BY_CHANGE };

/** Hints by scanner and by screen. Dismissing one dismisses all with its name. */
const HINTS: Partial<Record<ScannerKey | ScreenName, Hint>> = {
  preMarket: {
    name: 'pre-market',
    text: 'Stocks set to open above their previous close. Open a row for its news.',
  },
  intraDaySmall: BY_PIPS,
  intraDayMidLarge: BY_PIPS,
  intraDayLargeCap: INTRADAY,
  custom: {
    name: 'custom',
    text: 'Every stock on the market. Make a new scan to keep only those that meet your conditions.',
  },
  calls: {
    name: 'calls',
    text: 'Everyone’s trade ideas, tracked at market prices. Add Call posts yours; you can’t edit it later.',
  },
  settings: {
    name: 'settings',
    text: 'Choose and order each table’s columns, and the site that a stock’s name links to.',
  },
};

const accept = (value: unknown): string[] | null => (Array.isArray(value) ? readList(value, readText) : null);

const run = (action: string | undefined): void =>
  offeredActions()
    .find(({ label }) => label === action)
    ?.run();

/** A hint for new users until they dismiss it; dismissals are stored per user in this browser. */
export function HintLine() {
  const [, setDismissed] = useState(0);
  const shown = route.value;
  const hint = shown && HINTS[shown.tab?.scanner ?? shown.screen];
  const key = hintsKey(session.value.accessToken);
  const dismissed = key === null ? null : readStored(key, accept);
  if (!hint || key === null || dismissed === null || dismissed.includes(hint.name)) return null;
  const layout = shown.tab && settings.value?.columnPreferences[shown.tab.scanner];
  const hidesChange = layout?.some(({ id, enabled }) => id === 'change_percent' && !enabled) ?? false;
  const dismiss = () => {
    writeStored(key, [...dismissed, hint.name]);
    setDismissed(dismissed.length + 1);
    document.getElementById('main')?.focus();
  };
  return (
    <aside className="bar is-below hint-line" aria-label="Hint">
      <p>{hint.text}</p>
      {hint.action !== undefined && !hidesChange && (
        <Button onClick={() => run(hint.action)}>{hint.action}</Button>
      )}
      <IconButton label="Dismiss hint" onClick={dismiss}>
        <XIcon size={16} aria-hidden />
      </IconButton>
    </aside>
  );
}
