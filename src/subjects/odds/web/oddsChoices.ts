import { useState } from 'react';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { oddsSettings } from '../answers/odds.ts';
import { DEFAULT_ODDS_SETTINGS, type OddsSettings } from '../rules/settings.ts';

const KEY = 'bellbird.oddsSettings';

/** Exit, entries and costs, stored in this browser for all scans. */
export function useOddsSettings() {
  const [settings, setSettings] = useState(() => readStored(KEY, oddsSettings.read) ?? DEFAULT_ODDS_SETTINGS);
  const change = (part: Partial<OddsSettings>): void => {
    const next = { ...settings, ...part };
    setSettings(next);
    // An incomplete number is not stored.
    if (oddsSettings.read(next) !== null) writeStored(KEY, next);
  };
  return { settings, change };
}
