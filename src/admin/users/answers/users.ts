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
import { object, extension } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';

const members = {
  id: count,
  username: or(words, DASH),
  email: orNull(words),
  subscriptionType: plan,
  requestedSubscriptionType: orNull(paidPlan),
  /** Tokens used of models, in all questions and summaries. */
  promptTokens: count,
  completionTokens: count,
  isAdmin: or(boolean, false),
  hasSecondFactor: extension(or(boolean, false)),
  /** Numbers of linked chats, confirmed or not. */
  telegramCount: count,
  discordCount: count,
  created_at: isoTime,
};
const user = object(members, ['id']);
export type User = Known<typeof user>;

/** Answer of `GET /api/admin/users`, newest first. */
export const usersAnswer = object({
  users: list(user),
  /** `before` of the request for the next page; null on the last page. */
  next: extension(orNull(count)),
  total: extension(count),
});
export type UserPage = Known<typeof usersAnswer>;

const userParts = object(
  {
    user: object(
      {
        ...members,
        /** The ID of the main chat per platform: the first confirmed one, otherwise the first. */
        telegramId: extension(orNull(text)),
        discordId: extension(orNull(text)),
        upgradeRequestedAt: extension(orNull(isoTime)),
      },
      ['id'],
    ),
    linkedChats: linkedChatsAnswer,
  },
  ['user'],
);

export const userAnswer = readBy(userParts, (value) => {
  const known = userParts.read(value);
  if (!known) return null;
  const { telegramId, discordId } = readRecord(readRecord(value)['user']);
  const first = (platform: 'telegram' | 'discord'): string | null =>
    known.linkedChats.find((chat) => chat.platform === platform)?.id ?? null;
  const { user: account, linkedChats } = known;
  return {
    user: {
      ...account,
      // A server of another version sends only the list of chats.
      telegramId: telegramId === undefined ? first('telegram') : account.telegramId,
      discordId: discordId === undefined ? first('discord') : account.discordId,
    },
    linkedChats,
  };
});
export type UserDetail = Known<typeof userAnswer>;
