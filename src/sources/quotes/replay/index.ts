import { replayLabel } from '../../../market/rules/replayLabel.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Recording } from '../../../market/recording/types.ts';
import type { MarketSink, MarketSource, ReplayControls } from '../source.ts';
import { createReplayClock } from './clock.ts';
import { recordedHistory } from './history.ts';
import { createRecordedCalendar, createRecordedNews, type Identity } from './news.ts';
import { bringsIndicators, createHas, stocksOf } from './platformValues.ts';
import { createPlayer } from './player.ts';
import { createKnownNews } from './knownNews.ts';

export type ReplayOptions = {
  /** It is closed at the stop. */
  recording: Recording;
  speed: number;
  wall: SystemClock;
  log: Log;
  schedule?: Scheduler;
};

const STEP_MS = 250;
/** What is played in one go; others have their turn before the rest. */
const MAX_WORK_MS = 40;
/** Reading ahead takes a fifth of the time until all is there. */
const AHEAD_EVERY_MS = 50;
const AHEAD_WORK_MS = 10;

const UNREADABLE = 'The recording can not be read any further; the market stands still. The log tells more.';

/** The name under which everything of this recording is kept, apart from the real market and from other recordings. */
const nameOf = ({ source, date }: Recording['head']): string => `replay-${source.name}-${date}`;

/** What is done with a recording, and how that goes. */
function createReplaying(options: ReplayOptions, keepsIndicators: boolean) {
  const { recording, speed, wall, log, schedule = timerScheduler } = options;
  const { from, until, isCutOff } = recording;
  const clock = createReplayClock({ stopwatch: wall, from, until, speed });
  const knownNews = createKnownNews();
  let sink: MarketSink | null = null;
  let cancelNext = (): void => undefined;
  let jumps = 0;
  let problem: string | null = null;
  let lastSuccess: number | null = null;

  const health = () => ({ healthy: problem === null, problem, lastSuccess });
  const identity: Identity = {
    name: nameOf(recording.head),
    label: replayLabel(recording.head.source.label, recording.head.date),
    ...{ clock, health },
  };
  const news = createRecordedNews(identity, knownNews);
  const calendar = createRecordedCalendar(identity, knownNews);
  const player = createPlayer({
    ...{ recording, clock, knownNews, keepsIndicators, log },
    tell(event) {
      news.tell(event);
      calendar.tell(event);
    },
    tellAll() {
      news.tellAll();
      calendar.tellAll();
    },
  });

  function failed(error: unknown): void {
    if (problem === null) log.error('A step of the replay failed', { error });
    problem = UNREADABLE;
    clock.set(player.playedTo());
    clock.pause(true);
  }

  /** @returns whether nothing is left of what is due */
  function step(target: MarketSink): boolean {
    const began = wall.monotonic();
    try {
      const isDone = player.play(target, () => wall.monotonic() - began > MAX_WORK_MS);
      lastSuccess = wall.now();
      return isDone;
    } catch (error) {
      failed(error);
      return true;
    }
  }

  /** Reads what a jump will need, a little at a time. @returns whether nothing is left */
  function readAhead(): boolean {
    const began = wall.monotonic();
    try {
      while (!(recording.readAhead?.() ?? true)) {
        if (wall.monotonic() - began > AHEAD_WORK_MS) return false;
      }
    } catch (error) {
      // Whoever asks for that part is told; what lies before it is played.
      log.warn('A part of the recording could not be read ahead', { error });
    }
    return true;
  }

  function loop(): void {
    if (sink === null) return;
    const isDone = step(sink);
    const isAhead = !isDone || readAhead();
    cancelNext = schedule(isDone ? (isAhead ? STEP_MS : AHEAD_EVERY_MS) : 0, loop);
  }

  function jump(time: number): void {
    if (sink === null) return;
    player.jump(sink, time);
    jumps += 1;
    problem = null;
    lastSuccess = wall.now();
  }

  const controls: ReplayControls = {
    jump,
    pause: clock.pause,
    setSpeed: clock.setSpeed,
    state: () => ({
      ...{ from, until, isCutOff, jumps },
      isPaused: clock.isPaused(),
      speed: clock.chosenSpeed(),
      hasEnded: clock.hasEnded(),
    }),
  };

  return {
    ...{ clock, controls, health, identity, news, calendar },
    lateMs: () => Math.max(0, clock.now() - player.playedTo()),
    start(target: MarketSink): void {
      if (sink !== null) return;
      sink = target;
      player.jump(target, from);
      clock.set(from);
      lastSuccess = wall.now();
      cancelNext = schedule(0, loop);
    },
    stop(): void {
      cancelNext();
      sink = null;
    },
  };
}

/**
 * A recorded market that is played again, by its own clock: from the beginning of the recording at each start, to its end,
 * where it stays. Its announcements and its calendar come from the recording too.
 */
export function createReplay(options: ReplayOptions): MarketSource {
  const { recording } = options;
  const { head, from } = recording;
  const keepsIndicators = bringsIndicators(recording);
  const replaying = createReplaying(options, keepsIndicators);
  const { clock, identity } = replaying;
  return {
    name: identity.name,
    label: () => identity.label,
    delayMinutes: () => head.source.delayMinutes,
    clock,
    days: head.source.days,
    history: recordedHistory(recording, clock),
    hasMinutes: true,
    ...(keepsIndicators && {
      ownValues: { has: createHas(stocksOf(recording.baseAt(from), true)), serve: () => {} },
    }),
    announcements: replaying.news.source,
    calendar: replaying.calendar.source,
    replay: replaying.controls,
    ignoreStatus: () => false,
    async start(sink) {
      replaying.start(sink);
    },
    async stop() {
      replaying.stop();
      recording.close();
    },
    health: () => ({ ...replaying.health(), measuredLagMs: 0 }),
    details: () => ({ head, lateMs: replaying.lateMs(), ...replaying.controls.state() }),
  };
}
