import { t } from 'elysia';

const reminder = t.Object({ eventId: t.String(), before: t.Boolean(), figure: t.Boolean() });

export const reminderList = t.Object({ reminders: t.Array(reminder) });

export const reminderParams = t.Object({ eventId: t.String({ minLength: 1, maxLength: 100 }) });

export const reminderBody = t.Object({
  before: t.Boolean({ error: 'Say whether you want to be reminded before the event.' }),
  figure: t.Boolean({ error: 'Say whether you want to be told the figure.' }),
});

/** `note` says what keeps the reminder from reaching its user; null when nothing does. */
export const reminderSaved = t.Composite([reminder, t.Object({ note: t.Nullable(t.String()) })]);
