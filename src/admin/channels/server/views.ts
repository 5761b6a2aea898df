import type { Standing } from '../../../platform/outbox/channelReport.ts';
import type { ChannelsDeps } from './deps.ts';
import type { BroadcastView, ChannelView } from './model.ts';
import type { BroadcastRow, ChannelMessageRow, ChannelRow } from './store.ts';

type Outcome = Omit<BroadcastView['results'][number], 'channelId' | 'name'>;

export const iso = (time: number): string => new Date(time).toISOString();
const NOTHING = { reason: null, mayRepeat: false, sentAt: null };

/** How a message to a channel stands. @param standings those of the outbox, by nonce */
function outcomeOf(
  { trouble }: ChannelsDeps['outbox'],
  { nonce, skippedReason }: ChannelMessageRow,
  standings: ReadonlyMap<string, Standing>,
): Outcome {
  if (nonce === null) return { ...NOTHING, status: 'skipped', reason: skippedReason };
  const standing = standings.get(nonce);
  if (!standing) return { ...NOTHING, status: 'forgotten' };
  const { platform, status, mayRepeat, sentAt, failedReason } = standing;
  const reason = status === 'waiting' ? trouble(platform) : failedReason;
  return { status, reason, mayRepeat, sentAt: sentAt === null ? null : iso(sentAt) };
}

const noncesOf = (rows: readonly ChannelMessageRow[]): string[] =>
  rows.flatMap(({ nonce }) => (nonce === null ? [] : [nonce]));

/** Channels as administrators see them. */
export function channelViews(deps: ChannelsDeps, rows: readonly ChannelRow[]): ChannelView[] {
  const summaries = deps.store.newestSummaries();
  const standings = deps.outbox.standings(noncesOf(summaries));
  const byChannel = new Map(summaries.map((row) => [row.channelId, row]));
  return rows.map((row) => {
    const { id, name, platform, chatId, subscribed, sendDaily, createdAt, brokenReason } = row;
    const summary = byChannel.get(id);
    return {
      ...{ id, name, platform, chatId },
      subscribed: subscribed ? 1 : 0,
      sendDaily: sendDaily ? 1 : 0,
      created_at: iso(createdAt),
      broken: brokenReason,
      hasBot: deps.hasBot(platform),
      summary: summary?.summaryDate
        ? { date: summary.summaryDate, ...outcomeOf(deps.outbox, summary, standings) }
        : null,
    };
  });
}

/** Broadcasts with what became of each message, as it stands now. */
export function broadcastViews(deps: ChannelsDeps, rows: readonly BroadcastRow[]): BroadcastView[] {
  const messages = deps.store.messagesOf(rows.map(({ id }) => id));
  const standings = deps.outbox.standings(noncesOf(messages));
  const byBroadcast = Map.groupBy(messages, ({ broadcastId }) => broadcastId);
  return rows.map(({ id, message, sentAt, username }) => ({
    ...{ id, message },
    sentAt: iso(sentAt),
    by: username,
    results: (byBroadcast.get(id) ?? []).map((row) => ({
      channelId: row.channelId,
      name: row.channelName,
      ...outcomeOf(deps.outbox, row, standings),
    })),
  }));
}
