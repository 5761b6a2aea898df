import { t } from 'elysia';

const plan = t.UnionEnum(['free', 'basic', 'premium']);

const user = {
  id: t.Integer(),
  username: t.String(),
  email: t.Nullable(t.String()),
  subscriptionType: plan,
  requestedSubscriptionType: t.Nullable(t.UnionEnum(['basic', 'premium'])),
  /** Of models, over all questions and summaries. */
  promptTokens: t.Integer(),
  completionTokens: t.Integer(),
  isAdmin: t.Boolean(),
  /** Linked chats, confirmed or not. */
  telegramCount: t.Integer(),
  discordCount: t.Integer(),
  created_at: t.String({ format: 'date-time' }),
};

export const usersQuery = t.Object({
  q: t.Optional(t.String({ maxLength: 254, error: 'The search has at most 254 characters.' })),
  before: t.Optional(
    t.Numeric({ minimum: 1, multipleOf: 1, error: 'The user to begin after is no number.' }),
  ),
});

export const usersAnswer = t.Object({
  /** Newest first. */
  users: t.Array(t.Object(user)),
  /** Where the next page begins: `before` of its request; null when there is none. */
  next: t.Nullable(t.Integer()),
  /** How many match the search. */
  total: t.Integer(),
});

export const userParams = t.Object({ id: t.Numeric() });

export const userAnswer = t.Object({
  user: t.Object({
    ...user,
    /** The main chat on each platform: the first that was confirmed, else the first. */
    telegramId: t.Nullable(t.String()),
    discordId: t.Nullable(t.String()),
    upgradeRequestedAt: t.Nullable(t.String({ format: 'date-time' })),
  }),
  linkedChats: t.Array(
    t.Object({
      platform: t.UnionEnum(['telegram', 'discord']),
      id: t.String(),
      display_name: t.Nullable(t.String()),
      label: t.String(),
      confirmed: t.Boolean(),
      broken: t.Nullable(t.String()),
    }),
  ),
});

const anything = t.Optional(t.Unknown());
const fields = {
  telegramId: anything,
  discordId: anything,
  requestedSubscriptionType: anything,
  subscriptionType: anything,
};

/** What is wrong with a field is for `checkUserEdit` to say. */
export const editBody = t.Object({ ...fields, seen: t.Optional(t.Object(fields)) });
