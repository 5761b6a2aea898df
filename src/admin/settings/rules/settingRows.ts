import type { ShownSetting } from '#src/config/shown.ts';
import type { SettingRow } from '../answers/settings.ts';

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
