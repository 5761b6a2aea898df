import { gte } from 'drizzle-orm';
import { hostname } from 'node:os';
import type { RelayStatus, RelayState } from '#admin/relays/rules/relayState.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Repetition, type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { keyedHash } from '#lib/secrets.ts';
import { compareNames } from '#lib/unicode.ts';
import type { StreamHub } from '#market/stream/hub.ts';
import type { Db } from '#platform/db/open.ts';
import { loginSessions } from '#platform/db/schema.ts';
import type { About } from '#platform/install/about.ts';
import type { ChannelTap } from '#platform/sse/message.ts';
import type { Config } from '#src/config/config.ts';
import { createRedis } from '../redis/redis.ts';
import { PROTOCOL } from '../redis/relayMessage.ts';
import {
  alertStreams,
  type Redis,
  leastReported,
  marketStreams,
  NO_STREAMS,
  type OpenStreams,
  type PrimaryLock,
  type RelayReport,
  type RelayVersion,
} from '../redis/types.ts';
import { Publisher, type Run, type RunDeps, SnapshotKeeper } from './publisher.ts';

function statusOf(report: RelayReport, agoMs: number, run: Run | null, own: RelayVersion): RelayStatus {
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
    lagFrames: lag && lag.messages,
    lagMs: lag && lag.ms,
    since: startedAt,
  };
}

class Statuses {
  #relays: RelayStatus[] = [];
  #reports: readonly RelayReport[] = [];

  constructor(private readonly own: RelayVersion) {}

  relays(): RelayStatus[] {
    return this.#relays;
  }

  receive(reports: readonly RelayReport[], ages: ReadonlyMap<string, number>, run: Run | null): void {
    this.#relays = reports
      .map((report) => statusOf(report, ages.get(report.id) ?? 0, run, this.own))
      .toSorted((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
    this.#reports = reports;
  }

  streams(address: string | null): number {
    return marketStreams(this.#reports, address);
  }

  alertStreams(address: string | null): number {
    return alertStreams(this.#reports, address);
  }
}

/** Time between two reads of the reports and of ended sessions, ms. */
const REPORTS_MS = 2000;
const ENDED_MS = 800;
/** Time between two checks for starting relays, and the shortest time between two answers to them, ms. */
const QUESTIONS_MS = 250;
/** Time that a start waits for Redis, ms, to learn whether another primary holds the lock. */
const START_WAIT_MS = 2000;

export type PrimaryDeps = {
  engine: Redis;
  clock: SystemClock;
  log: Log;
  version: RelayVersion;
  lock: PrimaryLock;
  streams: Config['streams'];
  endedSessions(): number[];
  schedule?: Scheduler;
  limits?: RunDeps['limits'];
};

export type Published = Pick<StreamHub, 'epoch' | 'whole' | 'receivedElsewhere'>;

export type OwnStreams = (least: number) => OpenStreams;

/** The primary's side of the relays: publishing, and the reports of the relays. */
export class Primary {
  readonly #statuses: Statuses;
  readonly #publisher: Publisher;
  readonly #repetitions: readonly Repetition[];
  #published: Published | null = null;
  #own: OwnStreams = () => NO_STREAMS;
  #isReading = false;
  #isAnswering = false;
  #isLost = false;

  constructor(private readonly deps: PrimaryDeps) {
    const { engine, clock, log, version, lock, streams, limits, schedule = timerScheduler } = deps;
    this.#statuses = new Statuses(version);
    this.#publisher = new Publisher({
      engine,
      clock,
      log,
      schedule,
      lock,
      ...(limits && { limits }),
      // Called before any relay is known, because a starting relay learns of the primary within two seconds.
      reaches: (isReaching) => this.#published?.receivedElsewhere(isReaching),
      keeper: new SnapshotKeeper({
        engine,
        clock,
        version,
        streams,
        whole: () => this.#connected().whole(),
      }),
    });
    const failure = 'Could not check the relays';
    this.#repetitions = [
      new Repetition({ schedule, log, failure, everyMs: REPORTS_MS, work: () => void this.#exchange() }),
      new Repetition({ schedule, log, failure, everyMs: ENDED_MS, work: () => this.#reportEnded() }),
      new Repetition({ schedule, log, failure, everyMs: QUESTIONS_MS, work: () => void this.#answer() }),
    ];
    engine.listen({ up: () => this.#up(), down: (problem) => this.#down(problem) });
  }

  readonly marketTap: ChannelTap = {
    everybody: (seq, { place, reach, block }) => {
      // Every event for all clients has a place.
      if (!this.#publisher.run() || place === null) return;
      const { epoch } = this.#connected();
      this.#publisher.put({ kind: 'market', epoch, seq, place, reach, block });
      if (seq !== null) this.#publisher.eventPut();
    },
    audience: () => undefined,
    closing: () => this.#publisher.put({ kind: 'closing' }),
  };

  /** Forwards only events for single users: each server sends the pings of its own alert streams. */
  readonly alertTap: ChannelTap = {
    everybody: () => undefined,
    audience: (audience, { block }) => this.#publisher.put({ kind: 'audience', audience, block }),
    closing: () => undefined,
  };

  readonly jumped = (): void => this.#publisher.snapshotAfterEvent();

  readonly sessionsEnded = (userId: number): void => this.#publisher.put({ kind: 'sessions', userId });

  readonly streamsElsewhere = (address: string | null): number => this.#statuses.streams(address);

  readonly alertStreamsElsewhere = (address: string | null): number => this.#statuses.alertStreams(address);

  readonly state = (): RelayState => {
    const { engine } = this.deps;
    const publisher = this.#publisher;
    return {
      engine: { isUp: engine.isUp(), problem: engine.problem() },
      isPublishing: publisher.isPublishing(),
      problem: publisher.problem(),
      run: publisher.run()?.id ?? null,
      ...publisher.totals,
      relays: this.#statuses.relays(),
    };
  };

  connect(published: Published, own: OwnStreams): void {
    this.#published = published;
    this.#own = own;
  }

  /**
   * Connects and takes the lock before the server starts its work. If Redis does not answer soon, the server
   * starts without it.
   * @throws StartError if another primary holds the lock
   */
  async acquireLock(): Promise<void> {
    const { engine, schedule = timerScheduler } = this.deps;
    const known = Promise.withResolvers<void>();
    engine.listen({ up: () => known.resolve(), down: () => known.resolve() });
    const cancel = schedule(START_WAIT_MS, () => known.resolve());
    engine.start();
    await known.promise;
    cancel();
    if (engine.isUp()) await this.#publisher.acquireLock();
  }

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
    if (this.#isLost) this.deps.log.info('Redis answers again');
    this.#isLost = false;
    void this.#publisher.begin();
    void this.#exchange();
  }

  #down(problem: string): void {
    this.#isLost = true;
    const warning = 'Redis is unreachable: relays receive nothing; this server still serves its own pages';
    this.deps.log.warn(warning, { problem });
    this.#publisher.lost();
    this.#receive([]);
  }

  async #exchange(): Promise<void> {
    const { engine, log, streams } = this.deps;
    if (this.#isReading || !engine.isUp()) return;
    this.#isReading = true;
    try {
      if (this.#publisher.isPublishing())
        await engine.keepOwnStreams(this.#own(leastReported(streams.perAddress)));
      const reports = await engine.reports();
      const ages = await engine.ages(reports.map(({ id }) => id));
      this.#receive(engine.isUp() ? reports : [], ages);
    } catch (error) {
      log.debug('Could not exchange stream counts with the relays', { error });
    } finally {
      this.#isReading = false;
    }
  }

  /** Removes the stream counts: the primary's clients move to relays, which must not count them twice. */
  async #leave(): Promise<void> {
    const { engine, log } = this.deps;
    if (!this.#publisher.isPublishing()) return;
    try {
      await engine.keepOwnStreams(null);
    } catch (error) {
      log.debug('Could not remove the stream counts of this server; they expire soon', { error });
    }
  }

  /** Answers a starting relay before the next tick, because it shows nothing as live until then. */
  async #answer(): Promise<void> {
    const { engine, log } = this.deps;
    if (this.#isAnswering || !this.#publisher.isPublishing()) return;
    this.#isAnswering = true;
    try {
      if (await engine.wasAsked()) this.#publisher.put({ kind: 'presence' });
    } catch (error) {
      log.debug('Could not check whether a relay waits for a sign of life', { error });
    } finally {
      this.#isAnswering = false;
    }
  }

  #receive(reports: readonly RelayReport[], ages: ReadonlyMap<string, number> = new Map()): void {
    this.#statuses.receive(reports, ages, this.#publisher.run());
  }

  #reportEnded(): void {
    for (const userId of this.deps.endedSessions()) this.sessionsEnded(userId);
  }

  #connected(): Published {
    if (!this.#published) throw new Error('The primary is not connected to the market.');
    return this.#published;
  }
}

declare module '#platform/app.ts' {
  interface App {
    primary: Primary | null;
  }
}

/** Tolerated difference between the clocks of two processes, ms. */
const OVERLAP_MS = 5000;

/**
 * Finds login sessions ended by another process, such as the command line, through the database's count of
 * foreign changes.
 * @returns the users since its last call; some may repeat
 */
function createEndedSessions({ db, clock }: { db: Db; clock: SystemClock }): () => number[] {
  const version = db.$client.prepare<{ data_version: number }, []>('PRAGMA data_version');
  const read = (): number => version.get()?.data_version ?? 0;
  let known = read();
  let since = clock.now();
  return () => {
    const current = read();
    if (current === known) return [];
    known = current;
    const from = since - OVERLAP_MS;
    since = clock.now();
    const rows = db
      .selectDistinct({ userId: loginSessions.userId })
      .from(loginSessions)
      .where(gte(loginSessions.revokedAt, from))
      .all();
    return rows.map(({ userId }) => userId);
  };
}

export type PrimaryNeeds = {
  config: Pick<Config, 'relays' | 'streams'>;
  db: Db;
  clock: SystemClock;
  log: Log;
  about: Pick<About, 'version' | 'commit'>;
  jwtSecret: string;
};

/** The name of a data folder for other primaries, without revealing its secret. */
const instanceOf = (jwtSecret: string): string =>
  keyedHash(jwtSecret, 'bellbird relay primary', 'hex').slice(0, 32);

export function createPrimary({ config, db, clock, log, about, jwtSecret }: PrimaryNeeds): Primary | null {
  const { engineUrl: url, secret, name } = config.relays;
  if (url === null || secret === null) return null;
  const { version, commit } = about;
  const own = log.child('relays');
  return new Primary({
    engine: createRedis({ url, secret, clock, log: own }),
    clock,
    log: own,
    version: { protocol: PROTOCOL, version, commit },
    lock: { instance: instanceOf(jwtSecret), name: name ?? hostname(), since: clock.now() },
    streams: config.streams,
    endedSessions: createEndedSessions({ db, clock }),
  });
}
