import { t } from 'elysia';
import { password } from '../model.ts';

export const passwordBody = t.Object({ currentPassword: password, newPassword: password });
export const endBody = t.Object({ id: t.String({ maxLength: 100, error: 'Say which login session.' }) });
export const deleteBody = t.Object({ password });

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
