import { t } from 'elysia';
import { MAX_EMAIL_LENGTH } from '../../../subjects/accounts/rules/accountRules.ts';

export const testStatus = t.Object({ test: t.Boolean() });

export const seedBody = t.Object({ username: t.String({ default: '', maxLength: MAX_EMAIL_LENGTH }) });

export const seeded = t.Object({
  success: t.Literal(true),
  accessToken: t.String(),
  user: t.Object({ role: t.UnionEnum(['free', 'basic', 'premium', 'admin']), isAdmin: t.Boolean() }),
});

export const notSeeded = t.Object({
  success: t.Literal(false),
  error: t.String(),
  field: t.Optional(t.String()),
});
