import type { ChatPlatform } from '../../../subjects/chats/rules/chatPlatform.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import type { CountedCall } from '../rules/callWeek.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Result } from '../../../lib/result.ts';
import type { ChannelMessage } from '../../../platform/chatClients/channelMessage.ts';
import type { OutboxService } from '../../../platform/outbox/index.ts';
import type { MarketSource } from '../../../sources/quotes/source.ts';
import type { Audit } from '../../audit/server/service.ts';
import type { HeardMessages } from './heard.ts';
import type { ChannelLimits } from './limits.ts';
import type { ChannelStore } from './store.ts';

/** What the daily summary tells of. */
export type SummaryNeeds = {
  source: Pick<MarketSource, 'name' | 'label' | 'clock' | 'ignoreStatus' | 'health'>;
  market: { all(): ReadonlyMap<string, Stock>; date(): string };
  calls: { since(wall: number): CountedCall[]; runningResults(): number[] };
};

export type ChannelsDeps = SummaryNeeds &
  ChannelLimits & {
    store: ChannelStore;
    clock: SystemClock;
    log: Log;
    audit: Audit;
    outbox: Pick<OutboxService, 'add' | 'wake' | 'standings' | 'sentTo' | 'trouble'>;
    heard: HeardMessages;
    /** The newest messages of a Discord channel, newest first, or a sentence; null without a token. */
    readDiscord: ((channelId: string, limit: number) => Promise<Result<ChannelMessage[], string>>) | null;
    /** Whether a platform's bot has a token, so that messages to it can leave. */
    hasBot(platform: ChatPlatform): boolean;
    /** What the platform's own bot is called, where that is known. */
    botName(platform: ChatPlatform): string | null;
    publicUrl: string | null;
  };
