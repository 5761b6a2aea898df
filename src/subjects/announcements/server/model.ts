import { t } from 'elysia';
import { NOT_IN_LIVE_LIST } from '../../../market/rules/liveSymbols.ts';

export const symbolBody = t.Object({
  symbol: t.String({ default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }),
});

export const updated = t.Object({ success: t.Literal(true), message: t.String() });

export const searchQuery = t.Object({
  q: t.Optional(t.String({ maxLength: 200, error: 'Search with 2 to 80 characters.' })),
  symbol: t.Optional(t.String({ maxLength: 40, error: 'That is no stock code.' })),
  date: t.Optional(t.String({ maxLength: 10, error: 'A date is written as YYYY-MM-DD.' })),
  limit: t.Optional(t.Numeric({ error: 'The limit is a whole number from 1 to 50.' })),
});

export const searchAnswer = t.Object({
  announcements: t.Array(
    t.Object({
      id: t.String(),
      code: t.String(),
      headline: t.String(),
      url: t.Nullable(t.String()),
      time: t.String(),
      isPriceSensitive: t.Boolean(),
      announcementTypes: t.Array(t.String()),
    }),
  ),
});
