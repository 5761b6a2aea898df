import { randomToken } from '#lib/secrets.ts';
import { createConnections } from '#platform/http/connections.ts';
import { resolve } from 'node:path';
import { loadConfig } from '../config/config.ts';
import { isDiskLow } from '../admin/backups/rules/keptBackups.ts';
import { formatTime } from '../texts/format.ts';
import { EventsAroundNow } from '../subjects/calendar/server/events.ts';
import type { SystemClock } from '../lib/clock.ts';
import { freeBytes } from '../lib/files.ts';
import { createHttpClient } from '../lib/httpClient/client.ts';
import { humanSize } from '../lib/wording.ts';
import { createLog, type Log } from '../lib/log.ts';
import { createMarketPart } from '../market/observed.ts';
import { createTick } from '../market/tick.ts';
import { RecordingError } from '../market/recording/types.ts';
import { type LiveRecording, startRecording } from '../market/recording/live.ts';
import { createNewsBook } from '../market/recording/dayBook.ts';
import { chooseAnnouncements } from '../sources/announcements/choose.ts';
import { chooseCalendar } from '../sources/calendar/choose.ts';
import { chooseSource } from '../sources/quotes/choose.ts';
import { EXIT, type Io, type Signals, UsageError } from './io.ts';
import { holdSpecialDays } from '../market/rules/tradingDay.ts';
import { fromSydney, sydneyParts } from '#lib/sydneyTime.ts';

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/**
 * The next moment with this Sydney time of day: today, or tomorrow if it is past.
 * @param text such as 16:30
 * @param now epoch ms
 * @returns epoch ms; null if it is not a time of day
 */
function untilTime(text: string, now: number): number | null {
  const [, hour, minute] = TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const { date } = sydneyParts(now);
  const today = fromSydney(date, Number(hour), Number(minute));
  if (today > now) return today;
  // Noon is on the right date even when daylight saving changes.
  const tomorrow = sydneyParts(fromSydney(date, 12, 0) + 24 * 3_600_000).date;
  return fromSydney(tomorrow, Number(hour), Number(minute));
}

const CHECK_EVERY_MS = 60_000;

type Wanted = { path: string; until: string | null };

function readArguments(args: readonly string[]): Wanted {
  const rest = [...args];
  const at = rest.indexOf('--until');
  const [, until = ''] = at < 0 ? [] : rest.splice(at, 2);
  const [file, more] = rest;
  if (file === undefined)
    throw new UsageError('The file name is missing: bellbird record FILE [--until 16:30]');
  if (file.startsWith('-')) throw new UsageError(`"record" has no option "${file}".`);
  if (more !== undefined) throw new UsageError('"record" takes one file.');
  return { path: resolve(file), until: at < 0 ? null : until };
}

function momentOf(until: string | null, now: number): number | null {
  if (until === null) return null;
  const moment = untilTime(until, now);
  if (moment === null)
    throw new UsageError(`"${until}" is not a time of day. Use Sydney time, for example --until 16:30.`);
  return moment;
}

/** Prints warnings and errors only. */
const logTo = (err: Io['err']): Log =>
  createLog(({ level, name, message, properties }) => {
    if (level !== 'warn' && level !== 'error') return;
    const facts = Object.keys(properties).length === 0 ? '' : ` ${JSON.stringify(properties)}`;
    err(`${name}: ${message}${facts}`);
  });

/** The market of the configured sources, without a database. */
async function makeMarket(io: Io) {
  const { config, warnings } = loadConfig(io.env);
  for (const warning of warnings) io.err(warning);
  holdSpecialDays(config, config.marketClosures);
  const log = logTo(io.err);
  const clock: SystemClock = io.wall;
  const http = createHttpClient({ clock });
  const source = await chooseSource(config, { wall: clock, log, http });
  const core = {
    config,
    clock,
    log,
    http,
    source,
    randomToken,
    ...createConnections(),
  };
  const market = createMarketPart(core).service;
  const news = createNewsBook();
  const calendar = chooseCalendar(core);
  const kept = new EventsAroundNow(calendar?.clock ?? clock, log, () => undefined);
  const announcements = chooseAnnouncements(core);
  return {
    source,
    market,
    news,
    kept,
    clock,
    tick: createTick({ ...core, market }),
    async start(): Promise<void> {
      await source.start(market);
      for (const [name, started] of [
        ['announcements', announcements?.start(news.sink)],
        ['calendar', calendar?.start(kept)],
      ] as const)
        started?.catch((error: unknown) => log.error(`The ${name} did not start`, { error }));
    },
    async stop(): Promise<void> {
      await Promise.all([source.stop(), announcements?.stop(), calendar?.stop()]);
      holdSpecialDays(config, []);
    },
  };
}

/** Resolves when the recording must end: with a sentence after a failure, otherwise with null. */
function watchEnd(
  live: LiveRecording,
  until: number | null,
  folder: string,
  clock: SystemClock,
  now: () => number,
) {
  let checkedAt = clock.monotonic();
  return (): { reason: string | null } | null => {
    if (live.failure() !== null || live.isOver()) return { reason: null };
    if (until !== null && now() >= until) return { reason: null };
    if (clock.monotonic() - checkedAt < CHECK_EVERY_MS) return null;
    checkedAt = clock.monotonic();
    const free = freeBytes(folder);
    return free !== null && isDiskLow(free)
      ? {
          reason: `The disk is almost full (${humanSize(free)} free), so the recording stopped. Free some space.`,
        }
      : null;
  };
}

async function end(io: Io, live: LiveRecording, path: string, stocks: number, reason: string | null) {
  const problem = (await live.end()) ?? reason;
  const span = `${formatTime(live.startedAt)} to ${formatTime(live.until())}`;
  io.out(`Wrote ${path} (${humanSize(live.size())}): ${String(stocks)} stocks, ${span} Sydney time.`);
  if (problem !== null) io.err(problem);
  return problem === null ? EXIT.ok : EXIT.failed;
}

/**
 * `record FILE [--until 16:30]`: records the market into a new file until the time, the end of the session,
 * or a request to stop. It uses the settings of `serve` and needs no server.
 * @returns the exit code: failed if it ended too early; the file can be played anyway
 * @throws UsageError, ConfigError or StartError if it can't begin
 */
export async function record(io: Io, signals: Signals, args: readonly string[]): Promise<number> {
  const wanted = readArguments(args);
  const stage = await makeMarket(io);
  const { source, market, news, kept, clock, tick } = stage;
  if (source.received)
    throw new RecordingError(
      'This command cannot record prices that are sent to a server. Start the server and record in the Admin Panel, under Server Controls.',
    );
  const until = momentOf(wanted.until, source.clock.now());
  const free = freeBytes(wanted.path);
  if (free !== null && isDiskLow(free))
    throw new RecordingError(
      `The disk is almost full (${humanSize(free)} free). Free some space and try again.`,
    );
  const live = await startRecording(wanted.path, {
    source,
    market,
    stopwatch: clock,
    releases: news.all,
    events: () => kept.all,
  });
  const { promise: stopped, resolve: stop } = Promise.withResolvers<{
    reason: string | null;
  }>();
  signals.onStop(() => stop({ reason: null }));
  const mustEnd = watchEnd(live, until, wanted.path, clock, source.clock.now);
  tick.service.listen((changes) => {
    kept.prune();
    live.onChanges(changes);
    const ending = mustEnd();
    if (ending) stop(ending);
  });
  const day = `${source.label()}, session of ${live.date}`;
  io.out(
    `Recording ${day}${until === null ? '' : `, until ${formatTime(until)} Sydney time`}. Press Ctrl+C to stop.`,
  );
  await stage.start();
  tick.start();
  const { reason } = await stopped;
  tick.stop();
  await stage.stop();
  return end(io, live, wanted.path, market.all().size, reason);
}
