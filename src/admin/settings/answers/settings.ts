import { boolean, choice, type Known, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { ShownSetting } from '#src/config/shown.ts';

/** Where a value comes from: what the process was started with, a file of the data folder, or nothing but the default. */
const ORIGINS = ['environment', 'file', 'default'] as const;

const setting = object(
  {
    name: words,
    /** What it does. */
    meaning: or(text, ''),
    isSecret: or(boolean, false),
    isSet: or(boolean, false),
    /** Null for a secret, and where only the default counts. */
    value: orNull(text),
    /** In words. */
    fallback: or(text, ''),
    origin: or(choice(ORIGINS), 'default'),
  },
  ['name'],
);
export type SettingRow = Known<typeof setting>;

/** `GET /api/admin/settings`. */
export const settingsAnswer = object({ settings: list(setting) });

/** A recording that was chosen in the Admin Panel, in the place of the source of the settings. */
type Played = { name: string } | null;

/** What a file of the data folder says of a setting; null for nothing. */
function inFile({ name, isSet }: ShownSetting, played: Played): Partial<SettingRow> | null {
  // Made at the first start and kept beside the database.
  if (name === 'BELLBIRD_JWT_SECRET' && !isSet) return { isSet: true };
  if (played === null) return null;
  if (name === 'BELLBIRD_FEED') return { isSet: true, value: 'replay' };
  return name === 'BELLBIRD_REPLAY_FILE' ? { isSet: true, value: played.name } : null;
}

/** The settings as they count, each with where its value comes from. */
export const settingRows = (settings: readonly ShownSetting[], played: Played): SettingRow[] =>
  settings.map((setting) => {
    const kept = inFile(setting, played);
    if (kept !== null) return { ...setting, ...kept, origin: 'file' };
    return { ...setting, origin: setting.isSet ? 'environment' : 'default' };
  });
