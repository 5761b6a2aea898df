import {
  boolean,
  choice,
  count,
  flag,
  isoTime,
  type Known,
  list,
  or,
  orNull,
  readBy,
  text,
  trimmed,
  type Wire,
} from '#lib/contract/fields.ts';
import { always, object, extension } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';

const platform = choice(CHAT_PLATFORMS);

/** Result of a message. `forgotten`: it was deleted. `skipped`: nothing was sent. */
const outcome = object({
  status: or(choice(['waiting', 'sending', 'sent', 'failed', 'forgotten', 'skipped']), 'forgotten'),
  reason: orNull(trimmed),
  /** True if an earlier attempt got no answer and may have arrived too. */
  mayRepeat: or(boolean, false),
  sentAt: orNull(isoTime),
});
export type Outcome = Known<typeof outcome>;

const channelParts = object(
  {
    id: count,
    name: trimmed,
    platform: or(platform, 'discord'),
    chatId: or(trimmed, ''),
    subscribed: flag,
    /** Whether the channel gets a summary after the close. */
    sendDaily: flag,
    created_at: isoTime,
    /** Why the last message could not be delivered; null if it was. */
    broken: extension(orNull(trimmed)),
    hasBot: extension(or(boolean, true)),
    /** Result of the newest daily summary, and its trading day as YYYY-MM-DD. */
    summary: extension(orNull(object({ date: text, ...outcome.members }, ['date']))),
  },
  ['id'],
);
export const channel = readBy(channelParts, (value) => {
  const known = channelParts.read(value);
  return known && { ...known, name: known.name ?? (known.chatId || `Channel ${known.id}`) };
});
export type Channel = Known<typeof channel>;
export type ChannelView = Wire<typeof channel>;

const channels = list(channel);

/** Answer of `GET /api/admin/channels`: an object with the list; some servers send only the list. */
export const channelsAnswer = readBy(object({ channels }), (value) => ({
  channels: channels.read(Array.isArray(value) ? value : readRecord(value)['channels']),
}));

/** Answer of `POST` and `PUT`; null if the server does not send the channel. */
export const channelAnswer = readBy(object({ channel }), (value) => ({
  channel: channel.read(readRecord(value)['channel'] ?? value),
}));

const result = object(
  {
    /** Null if the channel was deleted. */
    channelId: orNull(count),
    name: trimmed,
    ...outcome.members,
  },
  ['name'],
);

/** A broadcast's messages to devices. Messages older than a month are not counted. */
const onDevices = object({
  total: or(count, 0),
  sent: or(count, 0),
  failed: or(count, 0),
  waiting: or(count, 0),
});

export const broadcast = object(
  {
    id: count,
    message: or(text, ''),
    sentAt: isoTime,
    /** Username of the administrator; null after that account was deleted. */
    by: orNull(trimmed),
    results: list(result),
    /** Null if the broadcast was not sent to devices. */
    devices: extension(orNull(onDevices)),
  },
  ['id'],
);
export type Broadcast = Known<typeof broadcast>;
export type BroadcastView = Wire<typeof broadcast>;

/** Answer of `GET /api/admin/channels/broadcasts`, newest first. */
export const broadcastsAnswer = always(
  object({
    broadcasts: list(broadcast),
    /** Number of users and devices that a broadcast reaches. */
    reach: extension(always(object({ people: or(count, 0), devices: or(count, 0) }))),
  }),
);

const message = object({
  message_id: or(text, ''),
  timestamp: isoTime,
  author: always(object({ id: or(text, ''), display_name: orNull(trimmed), username: orNull(trimmed) })),
  platform,
  content: or(text, ''),
  attachments: list(
    object({ id: or(text, ''), name: trimmed, content_type: orNull(text), url: orNull(trimmed) }, ['name']),
  ),
});
export type ChannelMessage = Known<typeof message>;
export type MessageView = Wire<typeof message>;

export const messagesAnswer = always(
  object({
    messages: list(message),
    channel,
    /** A sentence on messages that the list cannot contain; null if it is complete. */
    note: extension(orNull(trimmed)),
  }),
);
export type RecentMessages = Known<typeof messagesAnswer>;
