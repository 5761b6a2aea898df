import type { SettingsSection } from '#web/router/routes.ts';

/** The sections of Settings in the order of the specification, 2.9; `words` are for the search in the palette. */
export const SETTINGS_SECTIONS = [
  { id: 'account', title: 'Account', words: 'password two-factor login sessions logout data delete' },
  { id: 'upgrade', title: 'Upgrade', words: 'plan basic premium limits' },
  { id: 'quote-link', title: 'Quote link preference', words: 'site' },
  { id: 'columns', title: 'Table columns', words: 'indicators layout' },
  { id: 'linked-accounts', title: 'Linked Accounts', words: 'telegram discord chat' },
  {
    id: 'notifications',
    title: 'Notifications',
    words: 'phone device push sound desktop quiet hours digest',
  },
  { id: 'appearance', title: 'Appearance', words: 'theme dark light colours rows density' },
  { id: 'move', title: 'Move to another server', words: 'export import file' },
] as const satisfies readonly { id: SettingsSection; title: string; words: string }[];
