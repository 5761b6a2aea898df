import { t } from 'elysia';

// Anything, also nothing: the rules of the domain say what is missing, in their order.
export const askBody = t.MaybeEmpty(
  t.Object({ question: t.Optional(t.Unknown()), forceAccessLevel: t.Optional(t.Unknown()) }),
);

const toolUse = t.Object({
  name: t.String(),
  /** What the model wrote: an object, or its text where that is none. */
  arguments: t.Union([t.Record(t.String(), t.Unknown()), t.String()]),
  ms: t.Integer(),
  ok: t.Boolean(),
});

export const askAnswer = t.Object({
  response: t.String(),
  meta: t.Object({
    model: t.String(),
    promptTokens: t.Integer(),
    completionTokens: t.Integer(),
    ms: t.Integer(),
    tools: t.Array(toolUse),
    level: t.UnionEnum([0, 1, 2, 3, 4]),
  }),
});
