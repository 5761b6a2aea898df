import { boolean, choice, type Known, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { ShownSetting } from '#src/config/shown.ts';

const ORIGINS = ['environment', 'file', 'default'] as const;

const setting = object(
  {
    name: words,
    meaning: or(text, ''),
    isSecret: or(boolean, false),
    isSet: or(boolean, false),
    /** Null for a secret, or if the default applies. */
    value: orNull(text),
    fallback: or(text, ''),
    origin: or(choice(ORIGINS), 'default'),
  },
  ['name'],
);
export type SettingRow = Known<typeof setting>;

export const settingsAnswer = object({ settings: list(setting) });

/** A recording that was chosen in the Admin Panel and replaces the configured source. */
type Played = { name: string } | null;

/** The value of a setting that comes from a file of the data folder. */
function inFile({ name, isSet }: ShownSetting, played: Played): Partial<SettingRow> | null {
  // The first start creates the secret and stores it next to the database.
  if (name === 'BELLBIRD_JWT_SECRET' && !isSet) return { isSet: true };
  if (played === null) return null;
  if (name === 'BELLBIRD_FEED') return { isSet: true, value: 'replay' };
  return name === 'BELLBIRD_REPLAY_FILE' ? { isSet: true, value: played.name } : null;
}

export const settingRows = (settings: readonly ShownSetting[], played: Played): SettingRow[] =>
  settings.map((setting) => {
    const kept = inFile(setting, played);
    if (kept !== null) return { ...setting, ...kept, origin: 'file' };
    return { ...setting, origin: setting.isSet ? 'environment' : 'default' };
  });
