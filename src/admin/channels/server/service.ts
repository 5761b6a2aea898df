import type { ReceivedInChannel, ChannelMessage } from '#platform/chatClients/received.ts';
import { broadcast, recentBroadcasts, channelViews, DeviceBroadcasts, hasBot, iso } from './broadcast.ts';
import type { App } from '#platform/app.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Result } from '#lib/result.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { BroadcastView, ChannelView, messagesAnswer, MessageView } from '../answers/channels.ts';
import { type ChannelRow, type ChannelChange, type ChannelStore, channelStore } from './store.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { AppError, accepted } from '#platform/http/errors.ts';
import type { SentMessage } from '#platform/outbox/report.ts';
import { checkBroadcast, checkChannel, MAX_CHANNELS } from '../rules/channel.ts';
import { lastSummary } from '../rules/dailySummary.ts';
import { readBoolean } from '#lib/read.ts';

const channelLimits = (clock: Stopwatch) => ({
  countChange: createUserLimit(clock, 120, 'Too many changes to channels.'),
  countBroadcast: createUserLimit(clock, 10, 'Too many messages to channels.'),
  countRead: createUserLimit(clock, 60, 'Too many requests for channel messages.'),
});

/** Limit of stored and readable messages per channel. */
export const KEPT = 20;

/**
 * Messages that a bot received in channels, for a platform without a history. They are only in memory, because they
 * belong to the group.
 */
class ReceivedMessages {
  readonly #byChannel = new Map<number, ChannelMessage[]>();

  add(channelId: number, message: ChannelMessage): void {
    this.#byChannel.set(channelId, [...this.of(channelId), message].slice(-KEPT));
  }

  of(channelId: number): readonly ChannelMessage[] {
    return this.#byChannel.get(channelId) ?? [];
  }

  forget(channelId: number): void {
    this.#byChannel.delete(channelId);
  }

  count(): number {
    return this.#byChannel.values().reduce((sum, messages) => sum + messages.length, 0);
  }
}

const SWITCHED_ON_LATER = 'The daily summary was switched on after 16:30 Sydney.';

function channelOf(store: ChannelStore, id: number): ChannelRow {
  const row = store.byId(id);
  if (!row) throw new AppError(404, 'That channel no longer exists.');
  return row;
}

/** Adds a channel, which is subscribed by default. @throws AppError 400 for an invalid form or an existing channel */
function addChannel(
  { audit, clock }: App,
  store: ChannelStore,
  userId: number,
  sent: { name?: unknown; chatId?: unknown; platform?: unknown; subscribed?: unknown },
): ChannelRow {
  const form = accepted(checkChannel(sent));
  return store.inTransaction(() => {
    const same = store.byChat(form.platform, form.chatId);
    if (same) {
      throw new AppError(400, {
        field: 'chatId',
        message: `This chat is already the channel "${same.name}".`,
      });
    }
    if (store.all().length >= MAX_CHANNELS) {
      throw new AppError(400, `There are already ${MAX_CHANNELS} channels. Delete one first.`);
    }
    const row = store.insert({ ...form, subscribed: readBoolean(sent.subscribed) ?? true }, clock.now());
    audit.record({ userId, action: 'add channel', target: row.name, after: form });
    return row;
  });
}

function changeOf(sent: { subscribed?: unknown; sendDaily?: unknown }): ChannelChange {
  const subscribed = readBoolean(sent.subscribed);
  const sendDaily = readBoolean(sent.sendDaily);
  if (subscribed === null && sendDaily === null) {
    throw new AppError(400, 'Send `subscribed` or `sendDaily`, each 0 or 1.');
  }
  return { ...(subscribed !== null && { subscribed }), ...(sendDaily !== null && { sendDaily }) };
}

function skipLast({ source }: App, store: ChannelStore, channel: ChannelRow): void {
  const { date } = lastSummary(source.clock.now());
  const skippedReason = SWITCHED_ON_LATER;
  store.insertSummary({ channel, source: source.name, date, nonce: null, skippedReason });
}

function changeChannel(
  app: App,
  store: ChannelStore,
  userId: number,
  id: number,
  sent: { subscribed?: unknown; sendDaily?: unknown },
): ChannelRow {
  const change = changeOf(sent);
  return store.inTransaction(() => {
    const { subscribed, sendDaily, name } = channelOf(store, id);
    const row = store.change(id, change);
    if (row.sendDaily && !sendDaily) skipLast(app, store, row);
    if (row.subscribed !== subscribed || row.sendDaily !== sendDaily) {
      const after = { subscribed: row.subscribed, sendDaily: row.sendDaily };
      app.audit.record({
        userId,
        action: 'change channel',
        target: name,
        before: { subscribed, sendDaily },
        after,
      });
    }
    return row;
  });
}

/** Deletes a channel. Its pending messages are not sent. @throws AppError 404 */
function deleteChannel({ audit }: App, store: ChannelStore, userId: number, id: number): void {
  store.inTransaction(() => {
    const { name, platform, chatId } = channelOf(store, id);
    store.remove(id);
    audit.record({ userId, action: 'delete channel', target: name, before: { name, platform, chatId } });
  });
}

const TELEGRAM_NOTE =
  'Telegram does not show earlier messages to bots. This list has what the bot received since the server started and what it sent in the last 30 days.';
const DISCORD_NOTE =
  'To see other people’s texts, switch on the Message Content intent in the Discord developer portal.';

const toView = (platform: ChatPlatform, message: ChannelMessage): MessageView => ({
  message_id: message.messageId,
  timestamp: iso(message.timestamp),
  author: {
    id: message.author.id,
    display_name: message.author.displayName,
    username: message.author.username,
  },
  platform,
  content: message.content,
  attachments: message.attachments.map(({ id, name, contentType, url }) => ({
    id,
    name,
    url,
    content_type: contentType,
  })),
});

/** A message of the bot in the form of a received one. */
function ownMessage({ messageId, sentAt, message }: SentMessage, botName: string | null): ChannelMessage {
  const { title, lines, link } = message;
  const texts = [title, ...lines, ...(link === null ? [] : [link.text])];
  return {
    messageId: messageId ?? '',
    timestamp: sentAt,
    author: { id: '', displayName: 'Bellbird', username: botName },
    content: texts.filter((text, index) => index > 0 || text !== '').join('\n'),
    attachments: [],
  };
}

/** Newest messages first. In a channel the bot also receives its own posts, which are listed once. */
function telegramMessages(
  { botNames, outbox }: App,
  received: ReceivedMessages,
  { id, platform, chatId }: ChannelRow,
  limit: number,
): ChannelMessage[] {
  const others = received.of(id);
  const known = new Set(others.map(({ messageId }) => messageId));
  const own = outbox
    .sentTo(platform, chatId, limit)
    .filter(({ messageId }) => messageId === null || !known.has(messageId))
    .map((sent) => ownMessage(sent, botNames()[platform] ?? null));
  return [...others, ...own].sort((a, b) => b.timestamp - a.timestamp).slice(0, limit);
}

const THROWN_OUT = 'The bot is no longer in this Telegram chat. Add it again.';

type Sent = Readonly<Record<string, unknown>>;

export class Channels {
  readonly store: ChannelStore;
  readonly toDevices: DeviceBroadcasts;
  readonly receivedMessages = new ReceivedMessages();
  readonly #limits: ReturnType<typeof channelLimits>;

  /** @param readDiscord the newest messages of a Discord channel, newest first, or a sentence; null without a token */
  constructor(
    private readonly app: App,
    log: Log,
    private readonly readDiscord:
      | ((channelId: string, limit: number) => Promise<Result<ChannelMessage[], string>>)
      | null,
  ) {
    this.store = channelStore(app.db);
    this.toDevices = new DeviceBroadcasts(app, this.store, log);
    this.#limits = channelLimits(app.clock);
  }

  list(): ChannelView[] {
    return channelViews(this.app, this.store, this.store.all());
  }

  readonly destinations = (): { name: string; reason: string | null }[] =>
    this.store
      .all()
      .filter(
        ({ platform, subscribed, sendDaily }) => (subscribed || sendDaily) && hasBot(this.app, platform),
      )
      .map(({ name, platform, brokenReason }) => ({
        name: `${name} (${PLATFORM_NAMES[platform]})`,
        reason: brokenReason,
      }));

  /** @throws AppError 400, 429 */
  add(userId: number, sent: Sent): ChannelView {
    this.#limits.countChange(userId);
    return this.#viewOf(addChannel(this.app, this.store, userId, sent));
  }

  /** @throws AppError 400, 404, 429 */
  change(userId: number, id: number, sent: Sent): ChannelView {
    this.#limits.countChange(userId);
    return this.#viewOf(changeChannel(this.app, this.store, userId, id, sent));
  }

  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.#limits.countChange(userId);
    deleteChannel(this.app, this.store, userId, id);
    this.receivedMessages.forget(id);
  }

  /** @throws AppError 400, 429 */
  broadcast(userId: number, sent: Sent): BroadcastView {
    const form = accepted(checkBroadcast(sent));
    this.#limits.countBroadcast(userId);
    return broadcast(this.app, this.store, this.toDevices, userId, form);
  }

  reach(): { people: number; devices: number } {
    return this.app.devices.reach();
  }

  broadcasts(): BroadcastView[] {
    return recentBroadcasts(this.app, this.store);
  }

  /**
   * The newest messages of a channel, newest first, as far as its platform shows them to a bot.
   * @throws AppError 400 for a channel without a chat, 404, 429, 502 with the platform's reason
   */
  async messages(userId: number, id: number, wanted: number): Promise<Wire<typeof messagesAnswer>> {
    this.#limits.countRead(userId);
    const row = channelOf(this.store, id);
    const { platform, chatId } = row;
    if (chatId === '') throw new AppError(400, ADMIN_MESSAGES.channelWithoutChat);
    const limit = Math.min(Math.trunc(wanted), KEPT);
    const answer = (messages: readonly ChannelMessage[], note: string | null) => ({
      messages: messages.map((message) => toView(platform, message)),
      channel: this.#viewOf(row),
      note,
    });
    if (platform === 'telegram') {
      return answer(telegramMessages(this.app, this.receivedMessages, row, limit), TELEGRAM_NOTE);
    }
    if (this.readDiscord === null) {
      throw new AppError(400, 'This server has no Discord bot. Set BELLBIRD_DISCORD_TOKEN.');
    }
    const read = await this.readDiscord(chatId, limit);
    if (!read.ok) throw new AppError(502, read.error);
    const isTextHidden = read.value.some(
      ({ content, attachments }) => content === '' && attachments.length === 0,
    );
    return answer(read.value, isTextHidden ? DISCORD_NOTE : null);
  }

  /** Adds a message that the Telegram bot received. Ignores chats that are not channels. */
  readonly onReceived = (received: ReceivedInChannel): void => {
    const { store, receivedMessages } = this;
    const names = [received.chatId, ...(received.chatName === null ? [] : [received.chatName.toLowerCase()])];
    for (const chatId of names) {
      const channel = store.byChat('telegram', chatId);
      if (!channel) continue;
      if (received.kind === 'message') receivedMessages.add(channel.id, received.message);
      else store.setBroken(channel.id, received.isIn ? null : THROWN_OUT, this.app.clock.now());
    }
  };

  #viewOf(row: ChannelRow): ChannelView {
    const [view] = channelViews(this.app, this.store, [row]);
    if (!view) throw new Error('A channel could not be read.');
    return view;
  }
}
