import { type BroadcastForm, broadcastMessage, deviceMessage } from '../rules/channel.ts';
import { pushOverflow } from '#platform/push/render.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { AppError } from '#platform/http/errors.ts';
import { discordOverflow } from '#platform/discord/content.ts';
import { telegramOverflow } from '#platform/telegram/render.ts';
import type { BroadcastView, ChannelView } from '../answers/channels.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import type { ChannelRow, BroadcastRow, ChannelMessageRow, ChannelStore } from './store.ts';
import type { Status } from '#platform/outbox/report.ts';

export const hasBot = ({ config }: App, platform: ChatPlatform): boolean => config[platform].token !== null;

/**
 * Adds one message to channels to the outbox. Call it in the transaction that stores the message.
 * @param note stores the nonce of a channel's message
 */
export function addToChannels(
  outbox: App['outbox'],
  channels: readonly ChannelRow[],
  message: ChatMessage,
  note: (channel: ChannelRow, nonce: string) => void,
): void {
  const nonces = outbox.add(
    channels.map(({ platform, chatId }) => ({
      platform,
      target: 'channel' as const,
      chatId,
      userId: null,
      triggerId: null,
      message,
    })),
  );
  channels.forEach((channel, index) => {
    const nonce = nonces[index];
    if (nonce !== undefined) note(channel, nonce);
  });
}

type Outcome = Omit<BroadcastView['results'][number], 'channelId' | 'name'>;

export const iso = (time: number): string => new Date(time).toISOString();
const NOTHING = { reason: null, mayRepeat: false, sentAt: null };

/** The status of a message to a channel. @param statuses of the outbox, by nonce */
function outcomeOf(
  { trouble }: App['outbox'],
  { nonce, skippedReason }: ChannelMessageRow,
  statuses: ReadonlyMap<string, Status>,
): Outcome {
  if (nonce === null) return { ...NOTHING, status: 'skipped', reason: skippedReason };
  const sent = statuses.get(nonce);
  if (!sent) return { ...NOTHING, status: 'forgotten' };
  const { platform, status, mayRepeat, sentAt, failedReason } = sent;
  const reason = status === 'waiting' ? trouble(platform) : failedReason;
  return { status, reason, mayRepeat, sentAt: sentAt === null ? null : iso(sentAt) };
}

const noncesOf = (rows: readonly ChannelMessageRow[]): string[] =>
  rows.flatMap(({ nonce }) => (nonce === null ? [] : [nonce]));

export function channelViews(app: App, store: ChannelStore, rows: readonly ChannelRow[]): ChannelView[] {
  const summaries = store.newestSummaries();
  const statuses = app.outbox.statusesOf(noncesOf(summaries));
  const byChannel = new Map(summaries.map((row) => [row.channelId, row]));
  return rows.map((row) => {
    const { id, name, platform, chatId, subscribed, sendDaily, createdAt, brokenReason } = row;
    const summary = byChannel.get(id);
    return {
      id,
      name,
      platform,
      chatId,
      subscribed: subscribed ? 1 : 0,
      sendDaily: sendDaily ? 1 : 0,
      created_at: iso(createdAt),
      broken: brokenReason,
      hasBot: hasBot(app, platform),
      summary: summary?.summaryDate
        ? { date: summary.summaryDate, ...outcomeOf(app.outbox, summary, statuses) }
        : null,
    };
  });
}

/** The results of messages to devices, by broadcast; kept for a month. */
function deviceOutcomes(store: ChannelStore, rows: readonly BroadcastRow[]) {
  const counts = store.deviceCounts(rows.map(({ id }) => id));
  const outcomes = new Map<number, NonNullable<BroadcastView['devices']>>();
  for (const { id, devices, devicesDone } of rows) {
    if (devices === null) continue;
    const own = counts.filter(({ broadcastId }) => broadcastId === id);
    const numberOf = (...statuses: string[]): number =>
      own.filter(({ status }) => statuses.includes(status)).reduce((sum, { n }) => sum + n, 0);
    const [sent, failed, waiting] = [
      numberOf('sent', 'digested'),
      numberOf('failed'),
      numberOf('held', 'waiting', 'sending'),
    ];
    const isWriting = devicesDone !== null;
    outcomes.set(id, {
      total: devices,
      sent,
      failed,
      waiting: isWriting ? devices - sent - failed : waiting,
    });
  }
  return outcomes;
}

function broadcastViews(
  { outbox }: App,
  store: ChannelStore,
  rows: readonly BroadcastRow[],
): BroadcastView[] {
  const messages = store.messagesOf(rows.map(({ id }) => id));
  const statuses = outbox.statusesOf(noncesOf(messages));
  const byBroadcast = Map.groupBy(messages, ({ broadcastId }) => broadcastId);
  const toDevices = deviceOutcomes(store, rows);
  return rows.map(({ id, message, sentAt, username }) => ({
    id,
    message,
    devices: toDevices.get(id) ?? null,
    sentAt: iso(sentAt),
    by: username,
    results: (byBroadcast.get(id) ?? []).map((row) => ({
      channelId: row.channelId,
      name: row.channelName,
      ...outcomeOf(outbox, row, statuses),
    })),
  }));
}

const SHOWN = 5;
/** Repeating the same broadcast within this time is refused. Covers a double click, and a retry after a lost answer. */
const SAME_MS = 60_000;

const OVERFLOW: Readonly<Record<ChatPlatform, (message: ChatMessage) => number>> = {
  telegram: telegramOverflow,
  discord: discordOverflow,
};

const refusal = (field: string, message: string): AppError => new AppError(400, { field, message });

/** @throws AppError 400 for a channel that cannot be chosen */
function chosenChannels(app: App, store: ChannelStore, ids: readonly number[]): ChannelRow[] {
  return ids.map((id) => {
    const channel = store.byId(id);
    if (!channel) throw refusal('channelIds', 'One of these channels was deleted. Reload the list.');
    const { name, platform, subscribed } = channel;
    if (!subscribed)
      throw refusal('channelIds', `The channel "${name}" is not subscribed, so it can’t be chosen.`);
    if (!hasBot(app, platform)) {
      const setting = `BELLBIRD_${platform.toUpperCase()}_TOKEN`;
      const message = `The channel "${name}" cannot be reached: this server has no ${PLATFORM_NAMES[platform]} bot. Set ${setting}.`;
      throw refusal('channelIds', message);
    }
    return channel;
  });
}

/** @throws AppError 400 if a platform would truncate the message */
function checkLength(message: ChatMessage, channels: readonly ChannelRow[]): void {
  for (const platform of new Set(channels.map((channel) => channel.platform))) {
    const over = OVERFLOW[platform](message);
    if (over === 0) continue;
    const name = PLATFORM_NAMES[platform];
    throw refusal('message', `The message is too long for ${name}: shorten it by ${over} characters.`);
  }
}

/** The reach of a broadcast. @throws AppError 400 if there are no devices, or it is too long */
function reachOf({ devices }: App, message: string): { people: number; devices: number } {
  const over = pushOverflow(deviceMessage(message));
  if (over > 0) {
    throw refusal('message', `The message is too long for devices: shorten it by ${over} characters.`);
  }
  const reach = devices.reach();
  if (reach.devices === 0) throw refusal('devices', 'No user has a device that receives messages.');
  return reach;
}

/** @throws AppError 400 if the same message was just sent */
function checkNotTwice(
  { clock }: App,
  store: ChannelStore,
  { message, channelIds: ids, devices }: BroadcastForm,
): void {
  const [newest] = store.newestBroadcasts(1);
  if (!newest || newest.message !== message || (newest.devices !== null) !== devices) return;
  // The clock may have been set back since the newest broadcast.
  if (Math.abs(clock.now() - newest.sentAt) >= SAME_MS) return;
  const got = new Set(store.messagesOf([newest.id]).map(({ channelId }) => channelId));
  if (got.size === ids.length && ids.every((id) => got.has(id))) {
    const whom = devices && ids.length === 0 ? 'all devices' : 'these channels';
    throw new AppError(400, `This message was sent to ${whom} a moment ago. See its progress below.`);
  }
}

/**
 * Sends a message to channels. When this returns, the message and the audit entry are on disk.
 * @param toDevices writes the messages to devices after the commit
 * @throws AppError 400
 */
export function broadcast(
  app: App,
  store: ChannelStore,
  toDevices: DeviceBroadcasts,
  userId: number,
  form: BroadcastForm,
): BroadcastView {
  const { outbox, audit, clock } = app;
  const { message, channelIds } = form;
  store.inTransaction(() => {
    const channels = chosenChannels(app, store, channelIds);
    const text = broadcastMessage(message);
    checkLength(text, channels);
    const reach = form.devices ? reachOf(app, message) : null;
    checkNotTwice(app, store, form);
    const devices = reach?.devices ?? null;
    const id = store.insertBroadcast({ userId, message, sentAt: clock.now(), devices });
    addToChannels(outbox, channels, text, (channel, nonce) => store.insertMessage(id, channel, nonce));
    const names = channels.map(({ name }) => name);
    if (reach) names.push(`devices of ${reach.people} users`);
    audit.record({ userId, action: 'broadcast', target: names.join(', '), after: { message } });
  });
  outbox.wake();
  if (form.devices) toDevices.check();
  const [view] = broadcastViews(app, store, store.newestBroadcasts(1));
  if (!view) throw new Error('The broadcast was written but cannot be read.');
  return view;
}

export const recentBroadcasts = (app: App, store: ChannelStore): BroadcastView[] =>
  broadcastViews(app, store, store.newestBroadcasts(SHOWN));

/** Devices per transaction, which takes a few milliseconds. The others follow after other work. */
const AT_ONCE = 200;
const RETRY_MS = 5000;

/**
 * Writes broadcasts into the outbox, some devices at a time. The position is stored in the same transaction, so that a
 * restart continues without duplicates.
 */
export class DeviceBroadcasts {
  #isRunning = false;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly app: App,
    private readonly store: ChannelStore,
    private readonly log: Log,
  ) {}

  start(): void {
    this.#isRunning = true;
    this.check();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  check(): void {
    if (this.#isRunning) this.#cancel ??= this.app.schedule(0, () => this.#writeSome());
  }

  #writeSome(): void {
    this.#cancel = null;
    try {
      if (!this.#writeNext()) return;
      this.app.outbox.wake();
      this.check();
    } catch (error) {
      this.log.error('Could not queue a message to all devices; trying again', { error });
      if (this.#isRunning) this.#cancel = this.app.schedule(RETRY_MS, () => this.#writeSome());
    }
  }

  #writeNext(): boolean {
    const { store } = this;
    const { outbox, devices } = this.app;
    return store.inTransaction(() => {
      const open = store.unfinishedBroadcast();
      if (!open) return false;
      const some = devices.reachedAfter(open.devicesDone, AT_ONCE);
      const message = deviceMessage(open.message);
      outbox.add(
        some.map(({ userId, platform, chatId }) => ({
          platform,
          chatId,
          userId,
          message,
          triggerId: null,
          mayWait: true,
          target: 'everybody' as const,
          broadcastId: open.id,
        })),
      );
      store.devicesDone(open.id, some.length < AT_ONCE ? null : (some.at(-1)?.id ?? null));
      return true;
    });
  }
}
