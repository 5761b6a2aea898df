import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { confirmedMessage, confirmRequest } from '#subjects/alerts/rules/buttonMessage.ts';
import type { SystemClock, Stopwatch } from '#lib/clock.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { accepted, AppError, refusedFor, refusingWith } from '#platform/http/errors.ts';
import type { linkedChatsAnswer, offerAnswer, chatBotsAnswer } from '#subjects/chats/answers/linkedChats.ts';
import { healedMessage } from '#subjects/chats/rules/replies.ts';
import { type ChatPlatform, checkChatId, NO_CHAT_ID } from '#platform/chatClients/rules/chatPlatform.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { App, Part } from '#platform/app.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import { type ChatAddress, type LinkedChatRow, LinkedChatStore, type LinkToken } from './store.ts';
import { serve } from '#platform/http/routes.ts';
import { CHATS } from '#subjects/chats/contract.ts';

/** Limit of link requests per day to an unconfirmed chat, from all users. */
const MAX_QUESTIONS_A_CHAT = 3;
/** Limit of link requests per day from one user. */
const MAX_QUESTIONS_A_USER = 10;

const keyOf = ({ platform, chatId }: ChatAddress): string => `${platform} ${chatId}`;

/** @throws AppError 429 with `Retry-After` */
function refuseUntil(seconds: number, message: (wait: string) => string): void {
  if (seconds > 0) throw refusedFor(seconds, 429, message(waitText(seconds)));
}

/** Prevents users from messaging chats of others and from guessing tokens. */
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
    const tooMany = (wait: string) => `You linked and unlinked chats too often. Try again in ${wait}.`;
    refuseUntil(this.#changes.take(String(userId)), tooMany);
  }

  /** Counts a claim. @throws AppError 429 */
  countClaim(userId: number): void {
    refuseUntil(
      this.#claims.take(String(userId)),
      (wait) => `You tried too many links. Try again in ${wait}.`,
    );
  }

  /** Counts a request to a chat. @throws AppError 429 if the chat or the user had enough today */
  countQuestion(userId: number, chat: ChatAddress): void {
    refuseUntil(
      this.#byUser.take(String(userId)),
      () => `You have asked ${MAX_QUESTIONS_A_USER} chats to confirm today. Try again tomorrow.`,
    );
    const seconds = this.#byChat.take(keyOf(chat));
    if (seconds > 0) this.#byUser.refund(String(userId));
    refuseUntil(
      seconds,
      () => 'That chat received too many confirmation requests today. Send /link to the bot there instead.',
    );
  }

  /** Stops requests to a chat that refused one, for a day. */
  silence(chat: ChatAddress): void {
    for (let taken = 0; taken < MAX_QUESTIONS_A_CHAT; taken += 1) this.#byChat.take(keyOf(chat));
  }
}

const TOKEN_LIFE_MS = 10 * 60_000;
/** How long expired tokens are stored, ms, so that the error can say that they expired. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Longer texts cannot be tokens. */
const MAX_TOKEN_LENGTH = 100;

const NEW_ONE = 'Send /link to the bot to get a new one.';
const UNKNOWN = `This link is not valid, or was already used. ${NEW_ONE}`;
const EXPIRED = `This link has expired: it works for 10 minutes. ${NEW_ONE}`;

const hashOf = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('hex');

/** One-time tokens for linking chats, of which only hashes are stored. */
class OneTimeLinks {
  constructor(
    private readonly store: LinkedChatStore,
    private readonly clock: SystemClock,
    private readonly randomToken: () => string,
  ) {}

  /** Creates the token of a chat; an earlier one becomes invalid. */
  make({ platform, chatId }: ChatAddress, named: Pick<LinkToken, 'displayName' | 'topicId'>): string {
    const token = this.randomToken();
    const now = this.clock.now();
    const row = { tokenHash: hashOf(token), platform, chatId, ...named, expiresAt: now + TOKEN_LIFE_MS };
    this.store.inTransaction(() => this.store.putToken(row, now - REMEMBERED_MS));
    return token;
  }

  /** Reads a token. @throws AppError 400 for an unknown, used or expired token */
  read(sent: string): LinkToken {
    const typed = sent.trim();
    const row = typed.length > MAX_TOKEN_LENGTH ? undefined : this.store.token(hashOf(typed));
    if (!row) throw new AppError(400, UNKNOWN);
    if (row.expiresAt <= this.clock.now()) throw new AppError(400, EXPIRED);
    return row;
  }
}

/** Limit per user, including unconfirmed chats. */
const MAX_CHATS_A_USER = 10;
const LINKED_TO_ANOTHER = 'That chat is linked to another account. Send /unlink there first.';

const tooManyChats = (): AppError =>
  new AppError(400, `You already have ${MAX_CHATS_A_USER} linked chats. Unlink one first.`);

type Account = { id: number; username: string };

type ConfirmOutcome = 'confirmed' | 'refused' | 'gone' | 'taken' | 'not theirs';

/** `isOwner` is true if the sender owns the account that the chat is linked to, or the chat is private. */
type ConfirmAnswer = { isYes: boolean; isOwner: boolean; topicId?: number | null };

type ChatChange = {
  user: Account;
  platform: ChatPlatform;
  /** A valid ID; null unlinks all chats of the platform. */
  chatId: string | null;
  administratorId: number;
};

export class LinkedChats {
  readonly #store: LinkedChatStore;
  readonly #limits: LinkLimits;
  readonly #tokens: OneTimeLinks;

  constructor(private readonly app: App) {
    this.#store = new LinkedChatStore(app.db);
    this.#limits = new LinkLimits(app.clock);
    this.#tokens = new OneTimeLinks(this.#store, app.clock, app.randomToken);
  }

  /** Whether a platform's bot has a token, so that messages can be sent. */
  hasBot(platform: ChatPlatform): boolean {
    return this.app.config[platform].token !== null;
  }

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

  /** Chats that receive a user's messages: they are confirmed and have not failed in the last hour. */
  readonly confirmed = (userId: number): ChatAddress[] =>
    this.#store.confirmedOf(userId, this.app.clock.now());

  accountOf(chat: ChatAddress): Account | null {
    const owner = this.#store.owner(chat);
    return owner ? { id: owner.userId, username: owner.username } : null;
  }

  /** Null if there is none. */
  mainChatId(userId: number, platform: ChatPlatform): string | null {
    return this.#mainChat(userId, platform)?.chatId ?? null;
  }

  /**
   * Links a chat by its ID. It receives nothing until a member confirms the request in it. Linking it again repeats the
   * request, or repairs a broken chat.
   * @throws AppError 400 for an invalid ID, a linked chat or too many links; 429
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
   * Unlinks a chat.
   * @param platform if omitted, all platforms are searched
   * @throws AppError 404 if the user has no such chat; 429
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
   * Replaces a user's main chat on a platform, or unlinks all. The new chat must confirm a request too, because an ID
   * typed by an administrator proves nothing. Call it in a transaction, and `wakeOutbox` after the commit.
   * @throws AppError 400 for a chat of another account or too many chats; 429
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
      const message = `${user.username} already has ${MAX_CHATS_A_USER} linked chats. Unlink one first.`;
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

  /** Creates a one-time token for a chat; an earlier one becomes invalid. */
  newToken(
    platform: ChatPlatform,
    chatId: string,
    displayName: string | null,
    topicId: number | null = null,
  ): string {
    return this.#tokens.make({ platform, chatId }, { displayName, topicId });
  }

  /**
   * The chat that a token would link, for a confirmation: otherwise an attacker could send a link to the attacker's
   * chat and get the user's alerts. The token is not used up.
   * @throws AppError 400 with a sentence for an invalid token; 429
   */
  offered(userId: number, sent: string): Wire<typeof offerAnswer> {
    this.#limits.countClaim(userId);
    const { platform, chatId, displayName } = this.#tokens.read(sent);
    return { platform, id: chatId, label: displayName ?? chatId };
  }

  /**
   * Links and confirms the chat of a token, and notifies the chat. If it is refused because of the account, the token
   * stays valid.
   * @throws AppError 400 with a sentence for an invalid token or a chat that cannot be the user's; 429
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

  question(chat: ChatAddress): { linkId: number; username: string } | null {
    const row = this.#store.newestPending(chat);
    return row ? { linkId: row.id, username: row.username } : null;
  }

  /**
   * Handles a chat's answer to a link request. After the confirmation only the owner can revoke it.
   * @param linkId from the button of the request
   * @returns `gone` if the request was withdrawn, `taken` if the chat now belongs to another account
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

  /** Call it for every message from a chat, because that proves that the chat can be reached. */
  receivedFrom(chat: ChatAddress): void {
    this.#store.mend(chat);
  }

  /** Notes whether the bot may write to a chat; `trouble` says why not, as a sentence; null if it may. */
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

  /** Unlinks a chat by a command in it, and drops its requests. @returns false if it was not linked */
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

  /** The user's unconfirmed link of a chat, which is created if needed. @throws AppError 400 */
  #pendingLink(userId: number, chat: ChatAddress): LinkedChatRow {
    const own = this.#store.find(userId, chat);
    if (own) return own;
    if (this.#store.ofUser(userId).length >= MAX_CHATS_A_USER) throw tooManyChats();
    return this.#store.insertPending(userId, chat, this.app.clock.now());
  }

  /** The first confirmed chat of a user on a platform; if there is none, the first chat. */
  #mainChat(userId: number, platform: ChatPlatform): LinkedChatRow | null {
    const rows = this.#store.ofUser(userId).filter((row) => row.platform === platform);
    return rows.find(({ confirmedAt }) => confirmedAt !== null) ?? rows[0] ?? null;
  }

  #send(chat: ChatAddress, user: Account, message: ChatMessage): void {
    this.app.outbox.add([{ ...chat, userId: user.id, triggerId: null, message }]);
  }
}

const DONE = { success: true as const, error: null };

/** Answers a change in the format of the specification. */
const changing = (change: () => void) =>
  refusingWith({ success: false }, () => {
    change();
    return DONE;
  });

const routesOf = (service: LinkedChats, bots: BotsView) =>
  serve(CHATS, {
    'GET /api/settings/linked-chats': ({ user }) => service.list(user.id),
    'GET /api/settings/chat-bots': () => bots(),
    'POST /api/settings/link-chat': ({ user, body }) =>
      changing(() => service.link(user, body.platform, body.chatUserId)),
    'POST /api/settings/unlink-chat': ({ user, body }) =>
      changing(() => service.unlink(user.id, body.chatUserId, body.platform)),
    'POST /api/link/offer': ({ user, body }) => service.offered(user.id, body.token),
    'POST /api/link/claim': ({ user, body }) => changing(() => service.claim(user, body.token)),
  });

export type BotNames = Partial<Record<ChatPlatform, string | null>>;
type BotsView = () => Wire<typeof chatBotsAnswer>;

export function createLinkedChats(app: App) {
  const service = new LinkedChats(app);
  const bot = (platform: ChatPlatform) => ({
    configured: service.hasBot(platform),
    name: app.botNames()[platform] ?? null,
  });
  const bots: BotsView = () => ({ telegram: bot('telegram'), discord: bot('discord') });
  return { name: 'linkedChats', service, routes: () => routesOf(service, bots) } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    linkedChats: LinkedChats;
  }
}
