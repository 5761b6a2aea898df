import { confirmedMessage, confirmRequest } from '#subjects/alerts/rules/buttonMessage.ts';
import type { SystemClock, Stopwatch } from '#lib/clock.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { accepted, AppError, refusedFor } from '#platform/http/errors.ts';
import type { linkedChatsAnswer, offerAnswer } from '#subjects/chats/answers/linkedChats.ts';
import { healedMessage } from '#subjects/chats/rules/replies.ts';
import { type ChatPlatform, checkChatId, NO_CHAT_ID } from '#platform/chatClients/rules/chatPlatform.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { App } from '#platform/app.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import { type ChatAddress, type LinkedChatRow, LinkedChatStore, type LinkToken } from './store.ts';

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
class LinkLimits {
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
class OneTimeLinks {
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

/** Linked chats that one user may have, those included that were not confirmed. */
const MAX_CHATS_A_USER = 10;
const LINKED_TO_ANOTHER = 'That chat is linked to another account. Send /unlink there first.';

const tooManyChats = (): AppError =>
  new AppError(400, `You already have ${MAX_CHATS_A_USER} linked chats. Unlink one first.`);

/** An account, as far as a chat may be told of it. */
type Account = { id: number; username: string };

/** What became of a chat's answer to the question whether it belongs to the account that asked. */
type ConfirmOutcome = 'confirmed' | 'refused' | 'gone' | 'taken' | 'not theirs';

/** `isOwner`: anyone who answers is the owner of the account that the chat is linked to, or alone in the chat. */
type ConfirmAnswer = { isYes: boolean; isOwner: boolean; topicId?: number | null };

/** What an administrator makes of a user's chats on one platform. */
type ChatChange = {
  user: Account;
  platform: ChatPlatform;
  /** A checked ID; null unlinks all chats of the platform. */
  chatId: string | null;
  /** Who asks the chat to confirm, as far as the limits are concerned. */
  administratorId: number;
};

/** Which chats belong to whom. */
export class LinkedChats {
  readonly #store: LinkedChatStore;
  readonly #limits: LinkLimits;
  readonly #tokens: OneTimeLinks;

  constructor(private readonly app: App) {
    this.#store = new LinkedChatStore(app.db);
    this.#limits = new LinkLimits(app.clock);
    this.#tokens = new OneTimeLinks(this.#store, app.clock, app.randomToken);
  }

  /** Whether a platform's bot has a token, so that messages to it can be sent. */
  hasBot(platform: ChatPlatform): boolean {
    return this.app.config[platform].token !== null;
  }

  /** A user's chats as Settings shows them, oldest first. */
  list(userId: number): Wire<typeof linkedChatsAnswer> {
    return this.#store.ofUser(userId).map((row) => ({
      platform: row.platform,
      id: row.chatId,
      display_name: row.displayName,
      label: row.displayName ?? row.chatId,
      confirmed: row.confirmedAt !== null,
      broken: row.brokenAt === null ? null : (row.brokenReason ?? 'Messages could not be delivered.'),
    }));
  }

  /** Where a user's messages go: confirmed chats, without those that took nothing within the last hour. */
  readonly confirmed = (userId: number): ChatAddress[] =>
    this.#store.confirmedOf(userId, this.app.clock.now());

  /** Whom a chat is confirmed for. */
  accountOf(chat: ChatAddress): Account | null {
    const owner = this.#store.owner(chat);
    return owner ? { id: owner.userId, username: owner.username } : null;
  }

  /** The ID of a user's main chat on a platform; null without one. */
  mainChatId(userId: number, platform: ChatPlatform): string | null {
    return this.#mainChat(userId, platform)?.chatId ?? null;
  }

  /**
   * Links a chat whose ID a person typed. It is silent until somebody confirms in that chat, which is asked to. Linking
   * a broken chat again mends it; a chat that was asked already is asked again.
   *
   * @throws AppError 400 for an ID that can't be one, a chat that is linked already, or one link too many; 429
   */
  link(user: Account, platform: ChatPlatform, typed: string): void {
    const chat = { platform, chatId: accepted(checkChatId(platform, typed)) };
    this.#limits.countChange(user.id);
    this.#store.inTransaction(() => {
      this.#refuseOther(user.id, chat);
      const row = this.#pendingLink(user.id, chat);
      const wasBroken = row.brokenAt !== null;
      if (row.confirmedAt !== null && !wasBroken) throw new AppError(400, 'This chat is already linked.');
      if (wasBroken) this.#store.mend(chat);
      if (row.confirmedAt !== null || !this.hasBot(platform)) return;
      this.#limits.countQuestion(user.id, chat);
      this.#send(chat, user, confirmRequest(user.username, row.id));
    });
    this.app.outbox.wake();
  }

  /**
   * Takes a chat from a user.
   *
   * @param platform when absent, the ID is looked for on every platform
   * @throws AppError 404 when the user has no such chat; 429
   */
  unlink(userId: number, typed: string, platform?: ChatPlatform): void {
    this.#limits.countChange(userId);
    const id = typed.trim();
    if (id === '') throw new AppError(400, { field: 'chatUserId', message: NO_CHAT_ID });
    this.#store.inTransaction(() => {
      const rows = this.#store
        .ofUser(userId)
        .filter((row) => row.chatId === id && (platform === undefined || row.platform === platform));
      if (rows.length === 0) throw new AppError(404, 'That chat is not linked to your account.');
      for (const row of rows) this.#store.remove(row.id);
    });
  }

  /**
   * Puts another chat in the place of a user's main one on a platform, or unlinks all of them. An ID that an administrator
   * typed is no more proof than one that the person typed: the chat is silent until it is confirmed there, which it is
   * asked to. To be called in the caller's transaction; call `wakeOutbox` after its commit.
   *
   * @throws AppError 400 for a chat of another account, or one chat too many; 429
   */
  replaceChat({ user, platform, chatId, administratorId }: ChatChange): void {
    const store = this.#store;
    const all = store.ofUser(user.id);
    const own = all.filter((row) => row.platform === platform);
    if (chatId === null) return own.forEach(({ id }) => store.remove(id));
    if (own.some((row) => row.chatId === chatId)) return;
    const field = `${platform}Id`;
    const chat = { platform, chatId };
    if (store.owner(chat)) throw new AppError(400, { field, message: LINKED_TO_ANOTHER });
    const main = this.#mainChat(user.id, platform);
    if (main) store.remove(main.id);
    else if (all.length >= MAX_CHATS_A_USER) {
      const message = `${user.username} has ${MAX_CHATS_A_USER} linked chats already.`;
      throw new AppError(400, { field, message });
    }
    const { id } = store.insertPending(user.id, chat, this.app.clock.now());
    if (!this.hasBot(platform)) return;
    this.#limits.countQuestion(administratorId, chat);
    this.#send(chat, user, confirmRequest(user.username, id));
  }

  wakeOutbox(): void {
    this.app.outbox.wake();
  }

  /** A one-time token for a chat; an earlier one of that chat is void. */
  newToken(
    platform: ChatPlatform,
    chatId: string,
    displayName: string | null,
    topicId: number | null = null,
  ): string {
    return this.#tokens.make({ platform, chatId }, { displayName, topicId });
  }

  /**
   * Which chat a one-time token would link, so that a person can be asked first: anyone who sends somebody a link of a chat
   * of their own would get that person's alerts. The token stays as it is.
   *
   * @throws AppError 400 with a sentence when the token is not valid; 429
   */
  offered(userId: number, sent: string): Wire<typeof offerAnswer> {
    this.#limits.countClaim(userId);
    const { platform, chatId, displayName } = this.#tokens.read(sent);
    return { platform, id: chatId, label: displayName ?? chatId };
  }

  /**
   * Links the chat that a one-time token was made for to the user, confirmed at once; the chat is told. A link that is
   * refused for the sake of the account stays usable until it expires.
   *
   * @throws AppError 400 with a sentence when the token is not valid, or the chat can't be the user's; 429
   */
  claim(user: Account, sent: string): void {
    const { clock, outbox } = this.app;
    this.#limits.countClaim(user.id);
    const now = clock.now();
    this.#store.inTransaction(() => {
      const { tokenHash, displayName, topicId, platform, chatId } = this.#tokens.read(sent);
      const chat = { platform, chatId };
      this.#refuseOther(user.id, chat);
      const own = this.#store.ofUser(user.id);
      const isKnown = own.some((row) => row.platform === platform && row.chatId === chatId);
      if (!isKnown && own.length >= MAX_CHATS_A_USER) throw tooManyChats();
      this.#store.confirm(user.id, chat, { displayName, topicId }, now);
      this.#store.removeToken(tokenHash);
      this.#send(chat, user, confirmedMessage(user.username));
    });
    outbox.wake();
  }

  /** The newest account that asked for this chat by its typed ID and waits for an answer. */
  question(chat: ChatAddress): { linkId: number; username: string } | null {
    const row = this.#store.newestPending(chat);
    return row ? { linkId: row.id, username: row.username } : null;
  }

  /**
   * Takes a chat's answer to that question. Only the chat that was asked can answer; once it is confirmed, only the owner
   * can take it back.
   *
   * @param linkId from the question's button
   * @returns `gone` when the link was taken back meanwhile, `taken` when the chat belongs to another account by now
   */
  answer(
    chat: ChatAddress,
    linkId: number,
    { isYes, isOwner, topicId = null }: ConfirmAnswer,
  ): ConfirmOutcome {
    return this.#store.inTransaction(() => {
      const row = this.#store.byId(linkId, chat);
      if (!row) return 'gone';
      if (!isYes) {
        if (row.confirmedAt !== null && !isOwner) return 'not theirs';
        this.#store.remove(row.id);
        if (row.confirmedAt === null) this.#limits.silence(chat);
        return 'refused';
      }
      const owner = this.#store.owner(chat);
      if (owner && owner.userId !== row.userId) return 'taken';
      this.#store.confirm(row.userId, chat, { displayName: null, topicId }, this.app.clock.now());
      return 'confirmed';
    });
  }

  /** Something came from a chat, so messages reach it again. */
  heardFrom(chat: ChatAddress): void {
    this.#store.mend(chat);
  }

  /**
   * A platform says that its bot may write into a chat from now on, or no longer.
   * @param trouble why not, a sentence; null if it may
   */
  readonly membership = (chat: ChatAddress, trouble: string | null): void => {
    const { outbox } = this.app;
    if (trouble !== null) outbox.breakChat(chat.platform, chat.chatId, trouble);
    else
      this.#store.inTransaction(() => {
        const owner = this.#store.owner(chat);
        if (!this.#store.mend(chat) || !owner) return;
        this.#send(chat, { id: owner.userId, username: owner.username }, healedMessage());
      });
    outbox.wake();
  };

  /** Ends a chat's link from within the chat, and what others asked of it. @returns false when there was none */
  unlinkChat(chat: ChatAddress): boolean {
    return this.#store.inTransaction(() => {
      const wasLinked = this.#store.owner(chat) !== undefined;
      this.#store.removeChat(chat);
      return wasLinked;
    });
  }

  /** @throws AppError 400 for a chat of another account */
  #refuseOther(userId: number, chat: ChatAddress): void {
    const owner = this.#store.owner(chat);
    if (owner && owner.userId !== userId) throw new AppError(400, LINKED_TO_ANOTHER);
  }

  /** The user's link of a chat that waits for its answer, made when there is none. @throws AppError 400 */
  #pendingLink(userId: number, chat: ChatAddress): LinkedChatRow {
    const own = this.#store.find(userId, chat);
    if (own) return own;
    if (this.#store.ofUser(userId).length >= MAX_CHATS_A_USER) throw tooManyChats();
    return this.#store.insertPending(userId, chat, this.app.clock.now());
  }

  /** Of a user's chats on a platform the one that stands for them: the first that was confirmed, else the first. */
  #mainChat(userId: number, platform: ChatPlatform): LinkedChatRow | null {
    const rows = this.#store.ofUser(userId).filter((row) => row.platform === platform);
    return rows.find(({ confirmedAt }) => confirmedAt !== null) ?? rows[0] ?? null;
  }

  #send(chat: ChatAddress, user: Account, message: ChatMessage): void {
    this.app.outbox.add([{ ...chat, userId: user.id, triggerId: null, message }]);
  }
}
