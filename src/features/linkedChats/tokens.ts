import { confirmedMessage } from '../../domain/alerts/linkMessage.ts';
import { AppError } from '../../http/errors.ts';
import type { LinkedChatsDeps } from './deps.ts';
import { LINKED_TO_ANOTHER, MAX_CHATS_A_USER, tooManyChats } from './link.ts';
import type { ChatAddress } from './store.ts';

const TOKEN_LIFE_MS = 10 * 60_000;
/** An expired token is remembered for a day, so that it can be said that it expired. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Longer texts are no token of ours, and are not looked up. */
const MAX_TOKEN_LENGTH = 100;

const NEW_ONE = 'Send /link to the bot for a new one.';
const UNKNOWN = `This link was used already or was never given out. ${NEW_ONE}`;
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

/**
 * Links the chat that a token was made for to the user; the chat is told. A link that is refused for the sake of the
 * account stays usable until it expires.
 *
 * @throws AppError 400 with a sentence when the token is not valid, or the chat can't be the user's; 429
 */
export function claim(deps: LinkedChatsDeps, user: { id: number; username: string }, sent: string): void {
  const { store, clock, limits, outbox } = deps;
  limits.countClaim(user.id);
  const typed = sent.trim();
  const hash = typed.length > MAX_TOKEN_LENGTH ? null : hashOf(typed);
  const now = clock.now();
  store.inTransaction(() => {
    const row = hash === null ? undefined : store.token(hash);
    if (!row) throw new AppError(400, UNKNOWN);
    if (row.expiresAt <= now) throw new AppError(400, EXPIRED);
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
