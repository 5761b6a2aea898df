import { t } from 'elysia';

const flag = t.UnionEnum([0, 1]);
const platform = t.UnionEnum(['telegram', 'discord']);
/** ISO 8601 UTC. */
const time = t.String();

/** How something sent to a channel stands. `forgotten`: too old to be kept; `skipped`: there was none. */
const outcome = {
  status: t.UnionEnum(['waiting', 'sending', 'sent', 'failed', 'forgotten', 'skipped']),
  /** Why it waits, failed or was skipped: a sentence; null when there is nothing to say. */
  reason: t.Nullable(t.String()),
  /** An earlier attempt had no answer and may have arrived too. */
  mayRepeat: t.Boolean(),
  sentAt: t.Nullable(time),
};

/** The members of specification 3, and how the channel fares. */
export const channelView = t.Object({
  id: t.Integer(),
  name: t.String(),
  platform,
  chatId: t.String(),
  subscribed: flag,
  sendDaily: flag,
  created_at: time,
  /** Why the last message could not be delivered; null when it could. */
  broken: t.Nullable(t.String()),
  /** Whether this server has a bot on the platform. */
  hasBot: t.Boolean(),
  /** The newest daily summary: of which trading day, YYYY-MM-DD, and how it stands. */
  summary: t.Nullable(t.Object({ date: t.String(), ...outcome })),
});

const broadcastView = t.Object({
  id: t.Integer(),
  message: t.String(),
  sentAt: time,
  /** Username of the administrator; null when that account is gone. */
  by: t.Nullable(t.String()),
  /** Null `channelId`: the channel was deleted since. */
  results: t.Array(t.Object({ channelId: t.Nullable(t.Integer()), name: t.String(), ...outcome })),
});

const messageView = t.Object({
  message_id: t.String(),
  timestamp: time,
  author: t.Object({
    id: t.String(),
    display_name: t.Nullable(t.String()),
    username: t.Nullable(t.String()),
  }),
  platform,
  /** Plain text as it was written. */
  content: t.String(),
  attachments: t.Array(
    t.Object({
      id: t.String(),
      name: t.String(),
      content_type: t.Nullable(t.String()),
      url: t.Nullable(t.String()),
    }),
  ),
});

export type ChannelView = typeof channelView.static;
export type BroadcastView = typeof broadcastView.static;
export type MessageView = typeof messageView.static;

// Anything, also nothing: the rules of the domain say what is missing, in their order.
const anything = t.Optional(t.Unknown());
export const channelBody = t.MaybeEmpty(
  t.Object({ name: anything, chatId: anything, platform: anything, subscribed: anything }),
);
export const changeBody = t.MaybeEmpty(t.Object({ subscribed: anything, sendDaily: anything }));
export const broadcastBody = t.MaybeEmpty(t.Object({ channelIds: anything, message: anything }));
export const channelParams = t.Object({ id: t.Numeric() });
export const messagesQuery = t.Object({ limit: t.Optional(t.Numeric({ minimum: 1 })) });

export const channelsAnswer = t.Object({ channels: t.Array(channelView) });
export const channelAnswer = t.Object({ channel: channelView });
export const removed = t.Object({ success: t.Literal(true) });
export const broadcastsAnswer = t.Object({ broadcasts: t.Array(broadcastView) });
export const broadcastAnswer = t.Object({ success: t.Literal(true), broadcast: broadcastView });
export const messagesAnswer = t.Object({
  /** Newest first. */
  messages: t.Array(messageView),
  channel: channelView,
  /** What can't be among them: a sentence; null when all are. */
  note: t.Nullable(t.String()),
});
