import { boolean, choice, type Known, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

/** Where a value comes from: what the process was started with, a file of the data folder, or nothing but the default. */
export const ORIGINS = ['environment', 'file', 'default'] as const;

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
