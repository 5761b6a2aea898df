import { t } from 'elysia';
import { type ListedTrigger, MAX_TRIGGERS_AT_ONCE, PLACE_FORM } from '../../rules/triggerList.ts';

const LIMIT = `The limit is a whole number from 1 to ${MAX_TRIGGERS_AT_ONCE}.`;

export const listQuery = t.Object({
  before: t.Optional(
    t.String({
      maxLength: 40,
      pattern: PLACE_FORM.source,
      error: 'A page begins where the one before says.',
    }),
  ),
  limit: t.Optional(t.Numeric({ minimum: 1, maximum: MAX_TRIGGERS_AT_ONCE, multipleOf: 1, error: LIMIT })),
});

// Made by the server from checked values: typed for the client, not walked through again for every answer.
export const listAnswer = t.Unsafe<{ triggers: ListedTrigger[]; next: string | null }>(t.Any());
