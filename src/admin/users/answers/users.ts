import { linkedChatsAnswer } from '#subjects/chats/answers/linkedChats.ts';
import { paidPlan, plan } from '#subjects/accounts/answers/plans.ts';
import { DASH } from '#texts/format.ts';
import {
  boolean,
  count,
  isoTime,
  type Known,
  list,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';

const members = {
  id: count,
  username: or(words, DASH),
  email: orNull(words),
  subscriptionType: plan,
  requestedSubscriptionType: orNull(paidPlan),
  /** Of models, over all questions and summaries. */
  promptTokens: count,
  completionTokens: count,
  isAdmin: or(boolean, false),
  /** Logs in with two factors. */
  hasSecondFactor: ours(or(boolean, false)),
  /** Linked chats, confirmed or not. */
  telegramCount: count,
  discordCount: count,
  created_at: isoTime,
};
const user = object(members, ['id']);
export type User = Known<typeof user>;

/** `GET /api/admin/users`, newest first. */
export const usersAnswer = object({
  users: list(user),
  /** Where the next page begins: `before` of its request; null when there is none. */
  next: ours(orNull(count)),
  /** How many match the search. */
  total: ours(count),
});
export type UserPage = Known<typeof usersAnswer>;

const told = object(
  {
    user: object(
      {
        ...members,
        /** The main chat on each platform: the first that was confirmed, else the first. */
        telegramId: ours(orNull(text)),
        discordId: ours(orNull(text)),
        upgradeRequestedAt: ours(orNull(isoTime)),
      },
      ['id'],
    ),
    linkedChats: linkedChatsAnswer,
  },
  ['user'],
);

/** `GET` and `PUT /api/admin/users/:id`: an account as it is edited. */
export const userAnswer = readBy(told, (value) => {
  const known = told.read(value);
  if (!known) return null;
  const { telegramId, discordId } = readRecord(readRecord(value)['user']);
  const first = (platform: 'telegram' | 'discord'): string | null =>
    known.linkedChats.find((chat) => chat.platform === platform)?.id ?? null;
  const { user: account, linkedChats } = known;
  return {
    user: {
      ...account,
      // A server of another version names the chats alone.
      telegramId: telegramId === undefined ? first('telegram') : account.telegramId,
      discordId: discordId === undefined ? first('discord') : account.discordId,
    },
    linkedChats,
  };
});
export type UserDetail = Known<typeof userAnswer>;
