import type { SubscriptionType } from '../../../subjects/accounts/rules/accountRules.ts';
import type { PaidPlan } from '../../../subjects/accounts/rules/upgrade.ts';
import { DASH } from '../../../texts/format.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readRecord,
  readText,
} from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';
import { linkedChatsAnswer } from '../../../subjects/chats/answers/linkedChats.ts';
import type { LinkedChat } from '../../../subjects/chats/web/shared/linkedChats.ts';

/** An account in the list; what is not known is null. */
export type User = {
  id: number;
  username: string;
  email: string | null;
  subscriptionType: SubscriptionType | null;
  requestedSubscriptionType: PaidPlan | null;
  promptTokens: number | null;
  completionTokens: number | null;
  isAdmin: boolean;
  telegramCount: number | null;
  discordCount: number | null;
  created_at: string | null;
};

export type UserPage = {
  users: User[];
  /** Where the next page begins; null when there is none. */
  next: number | null;
  /** How many match; null when the server does not say. */
  total: number | null;
};

/** An account as it is edited. */
export type UserDetail = {
  user: User & { telegramId: string | null; discordId: string | null };
  linkedChats: LinkedChat[];
};

const readPlan = readChoice<SubscriptionType>(['free', 'basic', 'premium']);
const readPaid = readChoice<PaidPlan>(['basic', 'premium']);

function readUser(value: unknown): User | null {
  const user = readRecord(value);
  const id = readCount(user['id']);
  if (id === null) return null;
  return {
    id,
    username: readText(user['username']) || DASH,
    email: readText(user['email']) || null,
    subscriptionType: readPlan(user['subscriptionType']),
    requestedSubscriptionType: readPaid(user['requestedSubscriptionType']),
    promptTokens: readCount(user['promptTokens']),
    completionTokens: readCount(user['completionTokens']),
    isAdmin: readBoolean(user['isAdmin']) ?? false,
    telegramCount: readCount(user['telegramCount']),
    discordCount: readCount(user['discordCount']),
    created_at: readIsoTime(user['created_at']),
  };
}

/** GET /admin/users (specification 7.7). */
export function readUsers(body: unknown): UserPage {
  const { users, next, total } = readAnswer(body);
  return { users: readList(users, readUser), next: readCount(next), total: readCount(total) };
}

/** GET and PUT /admin/users/{id} (specification 7.7). @returns null for an answer without a user */
export function readUserDetail(body: unknown): UserDetail | null {
  const answer = readAnswer(body);
  const user = readUser(answer['user']);
  if (user === null) return null;
  const { telegramId, discordId } = readRecord(answer['user']);
  const linkedChats = linkedChatsAnswer.read(answer['linkedChats']);
  const first = (platform: LinkedChat['platform']): string | null =>
    linkedChats.find((chat) => chat.platform === platform)?.id ?? null;
  return {
    user: {
      ...user,
      // A server of another version names the chats alone.
      telegramId: telegramId === undefined ? first('telegram') : readText(telegramId),
      discordId: discordId === undefined ? first('discord') : readText(discordId),
    },
    linkedChats,
  };
}
