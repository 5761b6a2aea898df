import { t } from 'elysia';

// Missing texts count as empty: the rules of the domain then say what is missing, in their order.
const field = t.String({ default: '' });

export const passwordBody = t.Object({ currentPassword: field, newPassword: field });
export const endBody = t.Object({ id: t.String({ maxLength: 100, error: 'Say which login session.' }) });
export const deleteBody = t.Object({ password: field });

export const sessionsView = t.Object({
  sessions: t.Array(
    t.Object({
      /** Names it to its owner; no part of a token. */
      id: t.String(),
      /** The browser in a few words; null where it did not say. */
      device: t.Nullable(t.String()),
      /** ISO 8601. */
      createdAt: t.String(),
      lastSeenAt: t.Nullable(t.String()),
      /** The one that asks. */
      current: t.Boolean(),
    }),
  ),
});
