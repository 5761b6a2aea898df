import type { App } from '#platform/app.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Result } from '#lib/result.ts';
import type { ChannelMessage } from '#platform/chatClients/channelMessage.ts';
import { createUserLimit } from '#platform/http/requestLimits.ts';
import type { ChannelStore } from './store.ts';

/** What one administrator may do in a minute. */
export const channelLimits = (clock: Stopwatch) => ({
  countChange: createUserLimit(clock, 120, 'Too many changes to channels.'),
  countBroadcast: createUserLimit(clock, 10, 'Too many messages to channels.'),
  countRead: createUserLimit(clock, 60, 'Too many requests for channel messages.'),
});

/** How many messages of each channel are kept, and can be read. */
export const KEPT = 20;

/**
 * What a bot heard in channels since the process began, for a platform that shows bots no history. Kept in memory: what
 * people say in a group is not ours to store.
 */
export class HeardMessages {
  readonly #byChannel = new Map<number, ChannelMessage[]>();

  add(channelId: number, message: ChannelMessage): void {
    this.#byChannel.set(channelId, [...this.of(channelId), message].slice(-KEPT));
  }

  /** Oldest first. */
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

export type ChannelsDeps = App &
  ReturnType<typeof channelLimits> & {
    store: ChannelStore;
    heard: HeardMessages;
    /** Called after the commit of a message to everybody's devices. */
    writeToDevices(): void;
    /** The newest messages of a Discord channel, newest first, or a sentence; null without a token. */
    readDiscord: ((channelId: string, limit: number) => Promise<Result<ChannelMessage[], string>>) | null;
    /** Whether a platform's bot has a token, so that messages to it can leave. */
    hasBot(platform: ChatPlatform): boolean;
    publicUrl: string | null;
  };
