import { replayLabel } from '#market/rules/replay.ts';
import type { SystemClock, Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Recording } from '#market/recording/dayBook.ts';
import { KnownNews } from '#market/recording/knownNews.ts';
import type { History, MarketSink, MarketSource, ReplayControls } from '#market/sources/quotes.ts';
import { Player, ReplayClock } from './player.ts';
import { createRecordedCalendar, createRecordedNews, type Identity } from './news.ts';
import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import { addDays, fromSydney, sydneyDate } from '#lib/sydneyTime.ts';

function dayOf(date: string, minutes: readonly MinuteBar[]): DailyBar | null {
  const [first] = minutes;
  const last = minutes.at(-1);
  if (!first || !last) return null;
  return {
    date,
    open: first.open,
    high: Math.max(...minutes.map(({ high }) => high)),
    low: Math.min(...minutes.map(({ low }) => low)),
    close: last.close,
    volume: minutes.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** History of a recording: its minutes up to the clock's time, and their days. Nothing before it is known. */
function recordedHistory(
  { minutes: minutesOf, day, ...recording }: Pick<Recording, 'head' | 'minutes' | 'from' | 'until' | 'day'>,
  clock: Clock,
): History {
  const firstDate = recording.head.date;
  const lastDate = sydneyDate(recording.until);

  function minutes(code: string, date: string): readonly MinuteBar[] {
    if (date < firstDate || date > lastDate) return [];
    const from = fromSydney(date, 0, 0);
    const until = fromSydney(addDays(date, 1), 0, 0);
    return minutesOf(code, Math.min(until, clock.now())).filter(({ time }) => time >= from);
  }

  return {
    isDeep: true,
    firstDate,
    recordedFrom: recording.from,
    ...(day && {
      session: {
        of: (code) => day.session(code, clock.now()),
        isAtHand: () => day.readUntil() >= clock.now(),
        readOn: () => void day.readOn(),
      },
    }),
    eachMinute(code, date, visit) {
      for (const bar of minutes(code, date)) visit(bar);
    },
    eachDay(code, until, count, visit) {
      const days: DailyBar[] = [];
      let date = until < lastDate ? until : lastDate;
      for (; date >= firstDate && days.length < count; date = addDays(date, -1)) {
        const day = dayOf(date, minutes(code, date));
        if (day) days.unshift(day);
      }
      for (const day of days) visit(day);
    },
  };
}

export type ReplayOptions = {
  recording: Recording;
  speed: number;
  wall: SystemClock;
  log: Log;
  schedule?: Scheduler;
};

const STEP_MS = 250;
const MAX_WORK_MS = 40;
/** Reading ahead takes a fifth of the time until it is complete. */
const AHEAD_EVERY_MS = 50;
const AHEAD_WORK_MS = 10;

const UNREADABLE = 'The recording cannot be read any further, so the market has stopped. See the log.';

/** The name for stored data, separate from the real market and other recordings. */
const nameOf = ({ source, date }: Recording['head']): string => `replay-${source.name}-${date}`;

class Replaying {
  readonly clock: ReplayClock;
  readonly identity: Identity;
  readonly news: ReturnType<typeof createRecordedNews>;
  readonly calendar: ReturnType<typeof createRecordedCalendar>;
  readonly controls: ReplayControls;
  private readonly player: Player;
  private readonly schedule: Scheduler;
  private sink: MarketSink | null = null;
  private cancelNext = (): void => undefined;
  private jumps = 0;
  private problem: string | null = null;
  private lastSuccess: number | null = null;

  constructor(private readonly options: ReplayOptions) {
    const { recording, speed, wall, log, schedule = timerScheduler } = options;
    const { from, until, head } = recording;
    this.schedule = schedule;
    this.clock = new ReplayClock({ stopwatch: wall, from, until, speed });
    const { clock } = this;
    const label = replayLabel(head.source.label, head.date);
    this.identity = { name: nameOf(head), label, clock, health: () => this.health() };
    const knownNews = new KnownNews();
    this.news = createRecordedNews(this.identity, knownNews);
    this.calendar = createRecordedCalendar(this.identity, knownNews);
    this.controls = this.controlsOf();
    this.player = new Player({
      recording,
      clock,
      knownNews,
      log,
      notify: (event) => {
        this.news.notify(event);
        this.calendar.notify(event);
      },
      notifyAll: () => {
        this.news.notifyAll();
        this.calendar.notifyAll();
      },
    });
  }

  health() {
    return { healthy: this.problem === null, problem: this.problem, lastSuccess: this.lastSuccess };
  }

  lateMs(): number {
    return Math.max(0, this.clock.now() - this.player.playedTo());
  }

  start(target: MarketSink): void {
    if (this.sink !== null) return;
    const { recording, wall } = this.options;
    this.sink = target;
    this.player.jump(target, recording.from);
    this.clock.set(recording.from);
    this.lastSuccess = wall.now();
    this.cancelNext = this.schedule(0, () => this.loop());
  }

  stop(): void {
    this.cancelNext();
    this.sink = null;
  }

  private controlsOf(): ReplayControls {
    const { clock } = this;
    const { from, until, isCutOff } = this.options.recording;
    return {
      jump: (time) => this.jump(time),
      pause: (isPaused) => clock.pause(isPaused),
      setSpeed: (speed) => clock.setSpeed(speed),
      state: () => ({
        from,
        until,
        isCutOff,
        jumps: this.jumps,
        isPaused: clock.isPaused(),
        speed: clock.chosenSpeed(),
        hasEnded: clock.hasEnded(),
      }),
    };
  }

  private jump(time: number): void {
    if (this.sink === null) return;
    this.player.jump(this.sink, time);
    this.jumps += 1;
    this.problem = null;
    this.lastSuccess = this.options.wall.now();
  }

  private loop(): void {
    if (this.sink === null) return;
    const isDone = this.step(this.sink);
    const isAhead = !isDone || this.readAhead();
    this.cancelNext = this.schedule(isDone ? (isAhead ? STEP_MS : AHEAD_EVERY_MS) : 0, () => this.loop());
  }

  private step(target: MarketSink): boolean {
    const { wall } = this.options;
    const began = wall.monotonic();
    try {
      const isDone = this.player.play(target, () => wall.monotonic() - began > MAX_WORK_MS);
      this.lastSuccess = wall.now();
      return isDone;
    } catch (error) {
      this.failed(error);
      return true;
    }
  }

  private failed(error: unknown): void {
    if (this.problem === null) this.options.log.error('A step of the replay failed', { error });
    this.problem = UNREADABLE;
    this.clock.set(this.player.playedTo());
    this.clock.pause(true);
  }

  private readAhead(): boolean {
    const { recording, wall, log } = this.options;
    const began = wall.monotonic();
    try {
      while (!(recording.readAhead?.() ?? true)) {
        if (wall.monotonic() - began > AHEAD_WORK_MS) return false;
      }
    } catch (error) {
      // A jump into that part reports the failure; the part before it plays.
      log.warn('Could not read a part of the recording ahead', { error });
    }
    return true;
  }
}

/**
 * Plays a recorded market by its own clock, from the beginning at each start, and stops at its end.
 * Announcements and calendar come from the recording too.
 */
export function createReplay(options: ReplayOptions): MarketSource {
  const { recording } = options;
  const { head } = recording;
  const replaying = new Replaying(options);
  const { clock, identity } = replaying;
  return {
    name: identity.name,
    label: () => identity.label,
    delayMinutes: () => head.source.delayMinutes,
    clock,
    days: head.source.days,
    history: recordedHistory(recording, clock),
    hasMinutes: true,
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
