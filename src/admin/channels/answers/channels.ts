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
import { always, object, ours } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';

const platform = choice(CHAT_PLATFORMS);

/** How something sent to a channel stands. `forgotten`: too old to be kept; `skipped`: there was none. */
const outcome = object({
  status: or(choice(['waiting', 'sending', 'sent', 'failed', 'forgotten', 'skipped']), 'forgotten'),
  /** Why it waits, failed or was skipped: a sentence; null when there is nothing to say. */
  reason: orNull(trimmed),
  /** An earlier attempt had no answer and may have arrived too. */
  mayRepeat: or(boolean, false),
  sentAt: orNull(isoTime),
});
export type Outcome = Known<typeof outcome>;

const toldChannel = object(
  {
    id: count,
    name: trimmed,
    platform: or(platform, 'discord'),
    /** '' when it is not known. */
    chatId: or(trimmed, ''),
    /** It can be chosen for a message. */
    subscribed: flag,
    /** It gets a summary after the close. */
    sendDaily: flag,
    created_at: isoTime,
    /** Why the last message could not be delivered; null when it could. */
    broken: ours(orNull(trimmed)),
    /** Whether this server has a bot on the platform. */
    hasBot: ours(or(boolean, true)),
    /** The newest daily summary: of which trading day, YYYY-MM-DD, and how it stands. */
    summary: ours(orNull(object({ date: text, ...outcome.members }, ['date']))),
  },
  ['id'],
);
/** The members of specification 3, and how the channel fares. */
export const channel = readBy(toldChannel, (value) => {
  const known = toldChannel.read(value);
  return known && { ...known, name: known.name ?? (known.chatId || `Channel ${known.id}`) };
});
export type Channel = Known<typeof channel>;
export type ChannelView = Wire<typeof channel>;

const channels = list(channel);

/** `GET /api/admin/channels`: an object that holds the list; of some servers the list alone. */
export const channelsAnswer = readBy(object({ channels }), (value) => ({
  channels: channels.read(Array.isArray(value) ? value : readRecord(value)['channels']),
}));

/** A channel as it is now, after `POST` or `PUT`; null when the server does not say. */
export const channelAnswer = readBy(object({ channel }), (value) => ({
  channel: channel.read(readRecord(value)['channel'] ?? value),
}));

const result = object(
  {
    /** Null: the channel was deleted since. */
    channelId: orNull(count),
    name: trimmed,
    ...outcome.members,
  },
  ['name'],
);

/** Messages to devices. What was sent over a month ago is counted no more. */
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
    /** Username of the administrator; null when that account is gone. */
    by: orNull(trimmed),
    results: list(result),
    /** What became of it on devices; null where it went to none. */
    devices: ours(orNull(onDevices)),
  },
  ['id'],
);
export type Broadcast = Known<typeof broadcast>;
export type BroadcastView = Wire<typeof broadcast>;

/** `GET /api/admin/channels/broadcasts`, newest first. */
export const broadcastsAnswer = always(
  object({
    broadcasts: list(broadcast),
    /** How many people have devices that a message to everybody reaches, and how many devices. */
    reach: ours(always(object({ people: or(count, 0), devices: or(count, 0) }))),
  }),
);

const message = object({
  message_id: or(text, ''),
  timestamp: isoTime,
  author: always(object({ id: or(text, ''), display_name: orNull(trimmed), username: orNull(trimmed) })),
  platform,
  /** Plain text as it was written. */
  content: or(text, ''),
  attachments: list(
    object({ id: or(text, ''), name: trimmed, content_type: orNull(text), url: orNull(trimmed) }, ['name']),
  ),
});
export type ChannelMessage = Known<typeof message>;
export type MessageView = Wire<typeof message>;

/** `GET /api/admin/channels/:id/messages`. */
export const messagesAnswer = always(
  object({
    /** Newest first. */
    messages: list(message),
    channel,
    /** What can't be among them: a sentence; null when all are. */
    note: ours(orNull(trimmed)),
  }),
);
export type RecentMessages = Known<typeof messagesAnswer>;
