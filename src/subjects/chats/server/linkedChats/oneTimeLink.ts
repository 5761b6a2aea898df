import type { SystemClock } from '#lib/clock.ts';
import { AppError } from '#platform/http/errors.ts';
import type { ChatAddress, LinkedChatStore, LinkToken } from './store.ts';

const TOKEN_LIFE_MS = 10 * 60_000;
/** An expired token is remembered for a day, so that it can be said that it expired. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Longer texts are no token of ours, and are not looked up. */
const MAX_TOKEN_LENGTH = 100;

const NEW_ONE = 'Send /link to the bot for a new one.';
const UNKNOWN = `This link was already used or is not valid. ${NEW_ONE}`;
const EXPIRED = `This link has expired: it works for 10 minutes. ${NEW_ONE}`;

const hashOf = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('hex');

/** The tokens of the links by which chats can be linked, each once. Only their hashes are kept. */
export class OneTimeLinks {
  constructor(
    private readonly store: LinkedChatStore,
    private readonly clock: SystemClock,
    private readonly randomToken: () => string,
  ) {}

  /** Makes the token of a chat; an earlier one of that chat is void from then on. */
  make({ platform, chatId }: ChatAddress, named: Pick<LinkToken, 'displayName' | 'topicId'>): string {
    const token = this.randomToken();
    const now = this.clock.now();
    const row = { tokenHash: hashOf(token), platform, chatId, ...named, expiresAt: now + TOKEN_LIFE_MS };
    this.store.inTransaction(() => this.store.putToken(row, now - REMEMBERED_MS));
    return token;
  }

  /** @throws AppError 400 for a token that was never given out, was used, or has expired */
  read(sent: string): LinkToken {
    const typed = sent.trim();
    const row = typed.length > MAX_TOKEN_LENGTH ? undefined : this.store.token(hashOf(typed));
    if (!row) throw new AppError(400, UNKNOWN);
    if (row.expiresAt <= this.clock.now()) throw new AppError(400, EXPIRED);
    return row;
  }
}
