import type { RelayStanding, RelayState } from '#admin/relays/rules/relayState.ts';
import type { Config } from '#src/config/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Repetition, type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { StreamHub } from '#market/stream/hub.ts';
import type { ChannelTap } from '#platform/sse/tap.ts';
import {
  alertStreams,
  type Engine,
  leastTold,
  marketStreams,
  NO_STREAMS,
  type OpenStreams,
  type PrimaryLease,
  type RelayReport,
  type RelayVersion,
} from '../engine/types.ts';
import { type Run, type RunDeps, SnapshotKeeper } from './run.ts';
import { Publisher } from './publisher.ts';
import { compareNames } from '#lib/unicode.ts';

/** A relay as it told last, with its lag at the moment at which it told that. @param agoMs how long ago that was */
function standingOf(report: RelayReport, agoMs: number, run: Run | null, own: RelayVersion): RelayStanding {
  const { id, name, version, commit, protocol, pages, alertPages, bytes, startedAt, position } = report;
  const lag = run !== null && position?.run === run.id ? run.behind(position.number, agoMs) : null;
  return {
    id,
    name,
    version,
    pages,
    alertPages,
    bytes,
    isSameVersion: version === own.version && commit === own.commit,
    speaksProtocol: protocol === own.protocol,
    lagFrames: lag && lag.frames,
    lagMs: lag && lag.ms,
    since: startedAt,
  };
}

/** What the relays told last. */
class Standings {
  #relays: RelayStanding[] = [];
  #reports: readonly RelayReport[] = [];

  /** @param own the primary's version */
  constructor(private readonly own: RelayVersion) {}

  /** By name. */
  relays(): RelayStanding[] {
    return this.#relays;
  }

  /** @param ages how long ago each told, ms, by its id */
  take(reports: readonly RelayReport[], ages: ReadonlyMap<string, number>, run: Run | null): void {
    this.#relays = reports
      .map((report) => standingOf(report, ages.get(report.id) ?? 0, run, this.own))
      .toSorted((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
    this.#reports = reports;
  }

  /** Streams of the market that relays have open: of an address as far as they tell of it, null for all. */
  streams(address: string | null): number {
    return marketStreams(this.#reports, address);
  }

  /** Their streams of alerts. */
  alertStreams(address: string | null): number {
    return alertStreams(this.#reports, address);
  }
}

/** How often the relays' reports are read, and what another process ended is looked for, ms. */
const REPORTS_MS = 2000;
const ENDED_MS = 800;
/** How often it is looked whether a relay that starts waits for a word, ms; it is answered no more often either. */
const QUESTIONS_MS = 250;
/** How long a start waits for the engine, ms: where another primary holds the lease, this one is not to start. */
const START_WAIT_MS = 2000;

export type PrimaryDeps = {
  engine: Engine;
  clock: SystemClock;
  log: Log;
  version: RelayVersion;
  lease: PrimaryLease;
  streams: Config['streams'];
  /** Users whose login sessions another process ended since the last call. */
  endedSessions(): number[];
  schedule?: Scheduler;
  limits?: RunDeps['limits'];
};

/** The stream that is published. */
export type Published = Pick<StreamHub, 'epoch' | 'whole' | 'heardElsewhere'>;

/** The streams that a server has open itself. @param least addresses with fewer are left out */
export type OwnStreams = (least: number) => OpenStreams;

/** The primary's side of the relays: what it publishes, and what it knows of them. */
export class Primary {
  readonly #standings: Standings;
  readonly #publisher: Publisher;
  readonly #repetitions: readonly Repetition[];
  #published: Published | null = null;
  #own: OwnStreams = () => NO_STREAMS;
  #isReading = false;
  #isAnswering = false;
  #isLost = false;

  constructor(private readonly deps: PrimaryDeps) {
    const { engine, clock, log, version, lease, streams, limits, schedule = timerScheduler } = deps;
    this.#standings = new Standings(version);
    this.#publisher = new Publisher({
      engine,
      clock,
      log,
      schedule,
      lease,
      ...(limits && { limits }),
      // Also before any relay is known: one that starts learns within two seconds that the primary is there.
      reaches: (isReaching) => this.#published?.heardElsewhere(isReaching),
      keeper: new SnapshotKeeper({
        engine,
        clock,
        version,
        streams,
        whole: () => this.#connected().whole(),
      }),
    });
    const failure = 'The relays could not be looked at';
    this.#repetitions = [
      new Repetition({ schedule, log, failure, everyMs: REPORTS_MS, work: () => void this.#exchange() }),
      new Repetition({ schedule, log, failure, everyMs: ENDED_MS, work: () => this.#tellEnded() }),
      new Repetition({ schedule, log, failure, everyMs: QUESTIONS_MS, work: () => void this.#answer() }),
    ];
    engine.listen({ up: () => this.#up(), down: (problem) => this.#down(problem) });
  }

  /** Of the market's stream. */
  readonly marketTap: ChannelTap = {
    everybody: (seq, { place, reach, block }) => {
      // All that everybody gets has a place.
      if (!this.#publisher.run() || place === null) return;
      const { epoch } = this.#connected();
      this.#publisher.put({ kind: 'market', epoch, seq, place, reach, block });
      if (seq !== null) this.#publisher.eventPut();
    },
    audience: () => undefined,
    closing: () => this.#publisher.put({ kind: 'closing' }),
  };

  /** Of the stream of alerts, whose pings are each server's own. */
  readonly alertTap: ChannelTap = {
    everybody: () => undefined,
    audience: (audience, { block }) => this.#publisher.put({ kind: 'audience', audience, block }),
    closing: () => undefined,
  };

  /** The market was taken to another moment: its next event tells all of it. */
  readonly jumped = (): void => this.#publisher.snapshotAfterEvent();

  /** Login sessions of a user were ended. */
  readonly sessionsEnded = (userId: number): void => this.#publisher.put({ kind: 'sessions', userId });

  /** Streams of the market that relays have open: of an address, as far as they tell of it, null for all. */
  readonly streamsElsewhere = (address: string | null): number => this.#standings.streams(address);

  /** The same of streams of alerts. */
  readonly alertStreamsElsewhere = (address: string | null): number => this.#standings.alertStreams(address);

  /** What the panel shows and the metrics tell. */
  readonly state = (): RelayState => {
    const { engine } = this.deps;
    const publisher = this.#publisher;
    return {
      engine: { isUp: engine.isUp(), problem: engine.problem() },
      isPublishing: publisher.isPublishing(),
      problem: publisher.problem(),
      run: publisher.run()?.id ?? null,
      ...publisher.totals,
      relays: this.#standings.relays(),
    };
  };

  /** To be called before anything is started. */
  connect(published: Published, own: OwnStreams): void {
    this.#published = published;
    this.#own = own;
  }

  /**
   * Connects to the engine and takes the lease, before the server begins its work; where the engine does not answer soon
   * the server goes on without it.
   * @throws StartError when another primary holds the lease
   */
  async takeLease(): Promise<void> {
    const { engine, schedule = timerScheduler } = this.deps;
    const known = Promise.withResolvers<void>();
    engine.listen({ up: () => known.resolve(), down: () => known.resolve() });
    const cancel = schedule(START_WAIT_MS, () => known.resolve());
    engine.start();
    await known.promise;
    cancel();
    if (engine.isUp()) await this.#publisher.takeLease();
  }

  /** Publishes from now on. */
  start(): void {
    this.#publisher.start();
    for (const repetition of this.#repetitions) repetition.start();
    void this.#exchange();
  }

  async stop(): Promise<void> {
    for (const repetition of this.#repetitions) repetition.stop();
    await this.#leave();
    await this.#publisher.stop();
    await this.deps.engine.stop();
  }

  #up(): void {
    if (this.#isLost) this.deps.log.info('The message engine answers again');
    this.#isLost = false;
    void this.#publisher.begin();
    void this.#exchange();
  }

  #down(problem: string): void {
    this.#isLost = true;
    const told = 'The message engine is gone: relays get nothing, and this server serves its own pages';
    this.deps.log.warn(told, { problem });
    this.#publisher.lost();
    this.#take([]);
  }

  /** Tells the relays of the own streams, and reads what they tell. */
  async #exchange(): Promise<void> {
    const { engine, log, streams } = this.deps;
    if (this.#isReading || !engine.isUp()) return;
    this.#isReading = true;
    try {
      // Whoever does not publish does not speak for the relays' primary.
      if (this.#publisher.isPublishing())
        await engine.keepOwnStreams(this.#own(leastTold(streams.perAddress)));
      const reports = await engine.reports();
      const ages = await engine.ages(reports.map(({ id }) => id));
      this.#take(engine.isUp() ? reports : [], ages);
    } catch (error) {
      log.debug('The relays could not be told of the streams here, or their reports not be read', { error });
    } finally {
      this.#isReading = false;
    }
  }

  /** Its pages go to relays now, which are not to count them twice. */
  async #leave(): Promise<void> {
    const { engine, log } = this.deps;
    if (!this.#publisher.isPublishing()) return;
    try {
      await engine.keepOwnStreams(null);
    } catch (error) {
      log.debug('The relays could not be told that no stream is open here; they forget them soon', { error });
    }
  }

  /** A relay that starts takes nothing for live before it heard a word: it need not wait for the next tick. */
  async #answer(): Promise<void> {
    const { engine, log } = this.deps;
    // What is asked while nothing is published waits until it is.
    if (this.#isAnswering || !this.#publisher.isPublishing()) return;
    this.#isAnswering = true;
    try {
      if (await engine.wasAsked()) this.#publisher.put({ kind: 'presence' });
    } catch (error) {
      log.debug('It could not be looked whether a relay waits for a word', { error });
    } finally {
      this.#isAnswering = false;
    }
  }

  #take(reports: readonly RelayReport[], ages: ReadonlyMap<string, number> = new Map()): void {
    this.#standings.take(reports, ages, this.#publisher.run());
  }

  #tellEnded(): void {
    for (const userId of this.deps.endedSessions()) this.sessionsEnded(userId);
  }

  #connected(): Published {
    if (!this.#published) throw new Error('The primary was not connected to the market.');
    return this.#published;
  }
}

declare module '#platform/app.ts' {
  interface App {
    /** Publishes to relays; null if no Redis/Valkey server is configured. */
    primary: Primary | null;
  }
}
