import { refusedFor } from '#platform/http/errors.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import type { ChatAddress } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Questions that a chat which nobody confirmed gets in a day, anyone who asks. */
const MAX_QUESTIONS_A_CHAT = 3;
/** Questions that one user may have sent to chats in a day. */
const MAX_QUESTIONS_A_USER = 10;

const keyOf = ({ platform, chatId }: ChatAddress): string => `${platform} ${chatId}`;

/** @throws AppError 429 with `Retry-After` */
function refuseUntil(seconds: number, message: (wait: string) => string): void {
  if (seconds > 0) throw refusedFor(seconds, 429, message(waitText(seconds)));
}

/** What keeps one user from writing to strangers, and from trying tokens. */
export class LinkLimits {
  readonly #changes: RateLimit;
  readonly #claims: RateLimit;
  readonly #byChat: RateLimit;
  readonly #byUser: RateLimit;

  constructor(clock: Stopwatch) {
    this.#changes = createRateLimit({ clock, limit: 30, windowMs: MINUTE_MS });
    this.#claims = createRateLimit({ clock, limit: 20, windowMs: 10 * MINUTE_MS });
    this.#byChat = createRateLimit({ clock, limit: MAX_QUESTIONS_A_CHAT, windowMs: DAY_MS, maxKeys: 50_000 });
    this.#byUser = createRateLimit({ clock, limit: MAX_QUESTIONS_A_USER, windowMs: DAY_MS });
  }

  /** Counts a link or unlink. @throws AppError 429 */
  countChange(userId: number): void {
    const tooMany = (wait: string) => `Too many chats linked and unlinked. Try again in ${wait}.`;
    refuseUntil(this.#changes.take(String(userId)), tooMany);
  }

  /** Counts a claim. @throws AppError 429 */
  countClaim(userId: number): void {
    refuseUntil(this.#claims.take(String(userId)), (wait) => `Too many links tried. Try again in ${wait}.`);
  }

  /** Counts a question to a chat. @throws AppError 429 when the chat or the user had enough of them today */
  countQuestion(userId: number, chat: ChatAddress): void {
    refuseUntil(
      this.#byUser.take(String(userId)),
      () => `You have asked ${MAX_QUESTIONS_A_USER} chats to confirm today. Try again tomorrow.`,
    );
    const seconds = this.#byChat.take(keyOf(chat));
    if (seconds > 0) this.#byUser.giveBack(String(userId));
    refuseUntil(
      seconds,
      () => 'That chat was asked to confirm too often today. Send /link to the bot there instead.',
    );
  }

  /** The chat wants no questions any more: it gets none for a day. */
  silence(chat: ChatAddress): void {
    for (let taken = 0; taken < MAX_QUESTIONS_A_CHAT; taken += 1) this.#byChat.take(keyOf(chat));
  }
}
