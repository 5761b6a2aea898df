import type { Wire } from '../../../../lib/contract/fields.ts';
import type { offerAnswer } from '../../answers/linkedChats.ts';
import { confirmedMessage } from '../../../alerts/rules/linkMessage.ts';
import { AppError } from '../../../../platform/http/errors.ts';
import type { LinkedChatsDeps } from './deps.ts';
import { LINKED_TO_ANOTHER, MAX_CHATS_A_USER, tooManyChats } from './link.ts';
import type { ChatAddress, LinkToken } from './store.ts';

const TOKEN_LIFE_MS = 10 * 60_000;
/** An expired token is remembered for a day, so that it can be said that it expired. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Longer texts are no token of ours, and are not looked up. */
const MAX_TOKEN_LENGTH = 100;

/** A chat that a token would link: its ID on the platform, and what it calls itself, else the ID. */
export type OfferedChat = Wire<typeof offerAnswer>;

const NEW_ONE = 'Send /link to the bot for a new one.';
const UNKNOWN = `This link was already used or is not valid. ${NEW_ONE}`;
const EXPIRED = `This link has expired: it works for 10 minutes. ${NEW_ONE}`;

const hashOf = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('hex');

/**
 * Makes the one-time token by which a chat can be linked; an earlier one of that chat is void from then on.
 *
 * @returns the token, of which only the hash is kept
 */
export function newToken(
  { store, clock, randomToken }: LinkedChatsDeps,
  { platform, chatId }: ChatAddress,
  displayName: string | null,
): string {
  const token = randomToken();
  const now = clock.now();
  const row = { tokenHash: hashOf(token), platform, chatId, displayName, expiresAt: now + TOKEN_LIFE_MS };
  store.inTransaction(() => store.putToken(row, now - REMEMBERED_MS));
  return token;
}

/** @throws AppError 400 for a token that was never given out, was used, or has expired */
function knownToken({ store, clock }: LinkedChatsDeps, sent: string): LinkToken {
  const typed = sent.trim();
  const row = typed.length > MAX_TOKEN_LENGTH ? undefined : store.token(hashOf(typed));
  if (!row) throw new AppError(400, UNKNOWN);
  if (row.expiresAt <= clock.now()) throw new AppError(400, EXPIRED);
  return row;
}

/**
 * Which chat a token would link, so that a person can be asked first: whoever sends somebody a link of a chat of their own
 * would get that person's alerts. The token stays as it is.
 *
 * @throws AppError 400 with a sentence when the token is not valid; 429
 */
export function offered(deps: LinkedChatsDeps, userId: number, sent: string): OfferedChat {
  deps.limits.countClaim(userId);
  const { platform, chatId, displayName } = knownToken(deps, sent);
  return { platform, id: chatId, label: displayName ?? chatId };
}

/**
 * Links the chat that a token was made for to the user; the chat is told. A link that is refused for the sake of the
 * account stays usable until it expires.
 *
 * @throws AppError 400 with a sentence when the token is not valid, or the chat can't be the user's; 429
 */
export function claim(deps: LinkedChatsDeps, user: { id: number; username: string }, sent: string): void {
  const { store, clock, limits, outbox } = deps;
  limits.countClaim(user.id);
  const now = clock.now();
  store.inTransaction(() => {
    const row = knownToken(deps, sent);
    const owner = store.owner(row);
    if (owner && owner.userId !== user.id) throw new AppError(400, LINKED_TO_ANOTHER);
    const own = store.ofUser(user.id);
    const isKnown = own.some(({ platform, chatId }) => platform === row.platform && chatId === row.chatId);
    if (!isKnown && own.length >= MAX_CHATS_A_USER) throw tooManyChats();
    const { platform, chatId, displayName } = row;
    store.confirm(user.id, row, displayName, now);
    store.removeToken(row.tokenHash);
    outbox.add([
      { platform, chatId, userId: user.id, triggerId: null, message: confirmedMessage(user.username) },
    ]);
  });
  outbox.wake();
}
