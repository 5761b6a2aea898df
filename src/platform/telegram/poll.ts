import { GrammyError, HttpError } from 'grammy';
import { CHAT_COMMANDS } from '../../subjects/chats/rules/chatCommand.ts';
import type { SystemClock } from '../../lib/clock.ts';
import type { PollFailure, PollResult } from '../../lib/httpClient/pollLoop.ts';
import type { Log } from '../../lib/log.ts';
import { isRecord, type JsonRecord } from '../../lib/json.ts';
import { CallError } from '../chatClients/platformCall.ts';
import { LONG_POLL_SECONDS, type Telegram } from './client.ts';
import type { OffsetStore } from './offsetStore.ts';
import { updateIdOf } from './readUpdate.ts';

/** The bot as Telegram knows it. */
export type BotInfo = { id: number; username: string };

type Signal = NonNullable<Parameters<Telegram['bot']['api']['getMe']>[0]>;

/** The last two are of channels. */
const HEARD = ['message', 'callback_query', 'channel_post', 'my_chat_member'] as const;
/** Telegram keeps updates for a day, and begins anew at any number after a week without one. */
const OFFSET_LIFE_MS = 2 * 24 * 3_600_000;
/** A server that answers without waiting is not asked more often than this. */
const LEAST_GAP_MS = 1000;

const failure = (reason: string, retryAfterMs: number | null = null): PollFailure => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});

/** Why a call failed, without address or token. @throws what is no failure of a call */
export function pollFailure(error: unknown): PollFailure {
  if (error instanceof HttpError && error.error instanceof CallError) {
    return failure(error.error.reason, error.error.retryAfterMs);
  }
  if (!(error instanceof GrammyError)) throw error;
  const { error_code: code, parameters } = error;
  if (code === 401 || code === 404) return failure('does not accept the token');
  if (code === 409) return failure('is polled by another program with the same token');
  const waitMs = parameters.retry_after === undefined ? null : parameters.retry_after * 1000;
  return failure(`answered with error ${code}`, waitMs);
}

type PollDeps = {
  telegram: Telegram;
  offsets: OffsetStore;
  clock: SystemClock;
  log: Log;
  /** Given each update once, in order. */
  take(update: JsonRecord, bot: BotInfo): void;
};

/** Updates that were not taken up before, in order; what has no number is left out. */
function newUpdates(answer: readonly unknown[], last: number | null): JsonRecord[] {
  const byId = new Map<number, JsonRecord>();
  for (const update of answer) {
    const id = updateIdOf(update);
    if (id !== null && isRecord(update) && (last === null || id > last)) byId.set(id, update);
  }
  return [...byId].sort(([a], [b]) => a - b).map(([, update]) => update);
}

/**
 * Asks Telegram for updates. What was taken up is noted on disk before it is answered, so that nothing is answered
 * twice, not even after a crash in between.
 */
export function createPoll({ telegram, offsets, clock, log, take }: PollDeps) {
  const { api } = telegram.bot;
  let bot: BotInfo | null = null;
  /** The newest update of this run, and when it was taken up, by the stopwatch. */
  let newestTaken: { last: number; at: number } | null = null;

  /** The list that the app shows while somebody types; the bot works without it. */
  const register = async (signal: Signal): Promise<void> => {
    const commands = CHAT_COMMANDS.map(({ name, description }) => ({ command: name, description }));
    try {
      await api.setMyCommands(commands, {}, signal);
    } catch (error) {
      log.warn('Telegram did not take the list of commands', { reason: pollFailure(error).reason });
    }
  };
  const prepare = async (signal: Signal): Promise<BotInfo> => {
    const { id, username } = await api.getMe(signal);
    await api.deleteWebhook({}, signal);
    await register(signal);
    return { id, username };
  };

  const lastOf = (info: BotInfo): number | null => {
    if (newestTaken !== null) {
      return newestTaken.at + OFFSET_LIFE_MS > clock.monotonic() ? newestTaken.last : null;
    }
    const kept = offsets.read();
    return kept && kept.botId === info.id && kept.at + OFFSET_LIFE_MS > clock.now() ? kept.last : null;
  };

  const fetchUpdates = async (last: number | null, signal: Signal): Promise<unknown> => {
    const offset = last === null ? {} : { offset: last + 1 };
    return api.getUpdates({ ...offset, timeout: LONG_POLL_SECONDS, allowed_updates: HEARD }, signal);
  };

  const takeUp = (info: BotInfo, answer: unknown, last: number | null, tookMs: number): PollResult => {
    if (!Array.isArray(answer)) return failure('sent no list of updates');
    const updates = newUpdates(answer, last);
    const newest = updateIdOf(updates.at(-1));
    if (newest !== null) {
      offsets.write({ botId: info.id, last: newest, at: clock.now() });
      newestTaken = { last: newest, at: clock.monotonic() };
    }
    for (const update of updates) take(update, info);
    if (newest === null && answer.length > 0)
      return failure('sent updates that are not new or have no number');
    return { kind: 'done', nextMs: newest === null ? Math.max(0, LEAST_GAP_MS - tookMs) : 0 };
  };

  return {
    /** Null until Telegram has told. */
    bot: (): BotInfo | null => bot,

    async poll(stop: AbortSignal): Promise<PollResult> {
      const info = bot;
      // grammY's signals have the form of its own shim.
      const signal = stop as unknown as Signal;
      try {
        bot = info ?? (await prepare(signal));
        const last = lastOf(bot);
        const begun = clock.monotonic();
        const answer = await fetchUpdates(last, signal);
        if (stop.aborted) return failure('was not waited for');
        return takeUp(bot, answer, last, clock.monotonic() - begun);
      } catch (error) {
        return pollFailure(error);
      }
    },
  };
}
