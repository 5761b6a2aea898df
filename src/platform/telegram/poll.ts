import { GrammyError, HttpError } from 'grammy';
import { CHAT_COMMANDS } from '../chatClients/rules/chatCommand.ts';
import type { App } from '../app.ts';
import type { PollFailure, PollResult } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readRecord } from '#lib/read.ts';
import { bad, doubtful, type CheckResult, good } from '#lib/checkResult.ts';
import { CallError, platformWords } from '../chatClients/platformCall.ts';
import { type BotInfo, LONG_POLL_SECONDS, type Telegram } from './client.ts';
import { updateIdOf } from './readUpdate.ts';
import { type FactStore, factStore } from '../db/facts.ts';
import { CHECK_SERVICE } from '#texts/adminMessages.ts';

const KEY = 'telegram_updates';

type Offset = {
  botId: number;
  last: number;
  at: number;
};

function readOffset(kept: unknown): Offset | null {
  const { botId, last, at } = readRecord(kept);
  const isWhole = [botId, last, at].every((value) => Number.isSafeInteger(value));
  return isWhole ? { botId: Number(botId), last: Number(last), at: Number(at) } : null;
}

type Signal = NonNullable<Parameters<Telegram['bot']['api']['getMe']>[0]>;

/** The last two concern channels. */
const RECEIVED = ['message', 'callback_query', 'channel_post', 'my_chat_member'] as const;
/** Telegram keeps updates for a day, and may restart at any number after a week without one. */
const OFFSET_LIFE_MS = 2 * 24 * 3_600_000;
/** The shortest interval, for a server that answers without waiting. */
const LEAST_GAP_MS = 1000;

const BAD_TOKEN = 'does not accept the token';
const CONTESTED = 'is polled by another program with the same token';
const HOOKED = 'sends this bot’s messages to another program’s webhook';
/** Two polling programs interrupt each other. The old process of a restart is interrupted once. */
const CONTESTED_TIMES = 3;
const CONTESTED_MS = 15 * 60_000;

const WHAT = 'Telegram bot';
const NEW_TOKEN =
  'Get the token from @BotFather (/mybots, API Token). Set BELLBIRD_TELEGRAM_TOKEN to it, and restart.';
const OTHER_PROGRAM =
  'Commands and buttons are lost. Stop the other program, or create another bot for it at @BotFather. If you do not know the program, revoke the token there and set the new one.';

const hookRemedy = (host: string | null): string =>
  `Commands and buttons are not answered${host === null ? '' : `, because they are sent to ${platformWords(host)}`}. Create another bot for the other program, then restart Bellbird, which removes the webhook.`;

const failure = (reason: string, retryAfterMs: number | null = null): PollFailure => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});

/** Why a call failed, without address or token. @throws other errors */
export function pollFailure(error: unknown): PollFailure {
  if (error instanceof HttpError && error.error instanceof CallError) {
    return failure(error.error.reason, error.error.retryAfterMs);
  }
  if (!(error instanceof GrammyError)) throw error;
  const { error_code: code, parameters, description } = error;
  if (code === 401 || code === 404) return failure(BAD_TOKEN);
  if (code === 409) return failure(/webhook/i.test(description) ? HOOKED : CONTESTED);
  const waitMs = parameters.retry_after === undefined ? null : parameters.retry_after * 1000;
  return failure(`answered with error ${code}`, waitMs);
}

/** New updates in order. Those without a number are left out. */
function newUpdates(answer: readonly unknown[], last: number | null): JsonRecord[] {
  const byId = new Map<number, JsonRecord>();
  for (const update of answer) {
    const id = updateIdOf(update);
    if (id !== null && isRecord(update) && (last === null || id > last)) byId.set(id, update);
  }
  return [...byId].sort(([a], [b]) => a - b).map(([, update]) => update);
}

/** Polls Telegram for updates. The position is stored first, so that none is answered twice. */
export class Poll {
  /** The last handled update of this run, and when, by the stopwatch. */
  #newestUpdate: { last: number; at: number } | null = null;
  /** When other polling programs interrupted this one, by the stopwatch. */
  #contests: number[] = [];
  #hookHost: string | null = null;

  readonly #log: Log;
  readonly #facts: FactStore;

  constructor(
    private readonly app: App,
    private readonly telegram: Telegram,
    private readonly receive: (update: JsonRecord, bot: BotInfo) => void,
  ) {
    this.#log = app.log.child('telegram');
    this.#facts = factStore(app.db);
  }

  /**
   * The status of the bot's connection.
   * @param lastFailure why the last poll failed; null after a success
   * @returns null until Telegram has answered
   */
  checkResult(lastFailure: string | null): CheckResult | null {
    const { telegram } = this;
    const { clock } = this.app;
    const [first = Number.NEGATIVE_INFINITY] = this.#contests.slice(-CONTESTED_TIMES);
    const isContested = this.#contests.length === CONTESTED_TIMES && clock.monotonic() - first < CONTESTED_MS;
    // A poll between two interruptions may succeed.
    const reason = isContested ? CONTESTED : lastFailure;
    if (reason === null)
      return telegram.self && good(WHAT, `Telegram knows the bot as ${telegram.self.username}.`);
    const message = `Telegram ${reason}.`;
    if (reason === BAD_TOKEN) return bad(WHAT, message, NEW_TOKEN);
    if (reason === HOOKED) return bad(WHAT, message, hookRemedy(this.#hookHost));
    return isContested ? bad(WHAT, message, OTHER_PROGRAM) : doubtful(WHAT, message, CHECK_SERVICE);
  }

  async poll(stop: AbortSignal): Promise<PollResult> {
    const { telegram } = this;
    const { clock } = this.app;
    // grammY's signals have the form of its own shim.
    const signal = stop as unknown as Signal;
    try {
      telegram.self ??= await this.#prepare(signal);
      const last = this.#lastOf(telegram.self);
      const begun = clock.monotonic();
      const answer = await this.#fetch(last, signal);
      if (stop.aborted) return failure('was interrupted');
      return this.#process(telegram.self, answer, last, clock.monotonic() - begun);
    } catch (error) {
      const failed = pollFailure(error);
      if (failed.reason === CONTESTED) {
        this.#contests = [...this.#contests, clock.monotonic()].slice(-CONTESTED_TIMES);
      }
      if (failed.reason === HOOKED) this.#hookHost = await this.#findHookHost(signal);
      return failed;
    }
  }

  async #findHookHost(signal: Signal): Promise<string | null> {
    try {
      const { url } = await this.telegram.bot.api.getWebhookInfo(signal);
      return URL.parse(url ?? '')?.hostname ?? null;
    } catch (error) {
      this.#log.debug('Telegram did not return the webhook', { reason: pollFailure(error).reason });
      return null;
    }
  }

  async #prepare(signal: Signal): Promise<BotInfo> {
    const { api } = this.telegram.bot;
    const { id, username } = await api.getMe(signal);
    await api.deleteWebhook({}, signal);
    await this.#register(signal);
    return { id, username };
  }

  /** The list of commands for the app. The bot works without it. */
  async #register(signal: Signal): Promise<void> {
    const commands = CHAT_COMMANDS.map(({ name, description }) => ({ command: name, description }));
    try {
      await this.telegram.bot.api.setMyCommands(commands, {}, signal);
    } catch (error) {
      this.#log.warn('Telegram refused the list of commands', { reason: pollFailure(error).reason });
    }
  }

  /** The number of the last handled update; null if Telegram may have restarted its numbers. */
  #lastOf(info: BotInfo): number | null {
    const { clock } = this.app;
    const known = this.#newestUpdate;
    if (known !== null) return known.at + OFFSET_LIFE_MS > clock.monotonic() ? known.last : null;
    const kept = readOffset(this.#facts.read(KEY));
    return kept && kept.botId === info.id && kept.at + OFFSET_LIFE_MS > clock.now() ? kept.last : null;
  }

  async #fetch(last: number | null, signal: Signal): Promise<unknown> {
    const offset = last === null ? {} : { offset: last + 1 };
    const asked = { ...offset, timeout: LONG_POLL_SECONDS, allowed_updates: RECEIVED };
    return this.telegram.bot.api.getUpdates(asked, signal);
  }

  #process(info: BotInfo, answer: unknown, last: number | null, tookMs: number): PollResult {
    const { clock } = this.app;
    if (!Array.isArray(answer)) return failure('sent an answer without a list of updates');
    const updates = newUpdates(answer, last);
    const newest = updateIdOf(updates.at(-1));
    if (newest !== null) {
      this.#facts.write(KEY, { botId: info.id, last: newest, at: clock.now() });
      this.#newestUpdate = { last: newest, at: clock.monotonic() };
    }
    for (const update of updates) this.receive(update, info);
    if (newest === null && answer.length > 0) {
      return failure('sent updates that are not new or have no number');
    }
    return { kind: 'done', nextMs: newest === null ? Math.max(0, LEAST_GAP_MS - tookMs) : 0 };
  }
}
