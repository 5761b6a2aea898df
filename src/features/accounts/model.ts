import { t } from 'elysia';

// Missing texts count as empty: the rules of the domain then say what is missing, in their order.
const field = t.String({ default: '' });

export const loginBody = t.Object({ identifier: field, password: field });

export const registerBody = t.Object({
  username: field,
  password: field,
  email: t.Optional(t.Nullable(t.String())),
  platform: t.Optional(t.String({ maxLength: 20 })),
  setupToken: t.Optional(t.String({ maxLength: 200 })),
});

export const authenticated = t.Object({
  authenticated: t.Literal(true),
  accessToken: t.String(),
  accessLevel: t.Integer({ minimum: 1, maximum: 4 }),
});

export const notAuthenticated = t.Object({
  authenticated: t.Literal(false),
  error: t.String(),
  field: t.Optional(t.String()),
});

export const success = t.Object({ success: t.Literal(true) });
