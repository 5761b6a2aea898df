import { t } from 'elysia';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '../rules/accountRules.ts';

// Missing texts count as empty: the rules of the domain then say what is missing, in their order.
// Each is at most as long as the longest that any of them allows, so that the rules give their own sentences too.
const name = t.String({ default: '', maxLength: MAX_EMAIL_LENGTH });
export const password = t.String({ default: '', maxLength: 4 * MAX_PASSWORD_LENGTH });

export const loginBody = t.Object({ identifier: name, password });

export const registerBody = t.Object({
  username: name,
  password,
  email: t.Optional(t.Nullable(t.String({ maxLength: 2 * MAX_EMAIL_LENGTH }))),
  platform: t.Optional(t.String({ maxLength: 20 })),
  setupToken: t.Optional(t.String({ maxLength: 200 })),
});

export const authenticated = t.Object({
  authenticated: t.Literal(true),
  accessToken: t.String(),
  accessLevel: t.Integer({ minimum: 1, maximum: 4 }),
  error: t.Null(),
});

export const notAuthenticated = t.Object({
  authenticated: t.Literal(false),
  accessToken: t.Null(),
  accessLevel: t.Null(),
  error: t.String(),
  field: t.Optional(t.String()),
});

export const success = t.Object({ success: t.Literal(true) });
