import type { Stopwatch } from '#lib/clock.ts';
import { isRecord, parseJson } from '#lib/json.ts';
import type { Log } from '#lib/log.ts';
import { ByteWriter } from '#lib/pack.ts';
import { readCount, readMap, readMembers, readNumber, readRecord, readText } from '#lib/read.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { Connection, RedisError, readEngineAddress } from './connection.ts';
import {
  LOCK_KEY,
  type Position,
  PRIMARY_STREAMS_KEY,
  QUESTION_KEY,
  REPORT_PATTERN,
  reportId,
  reportKey,
  SNAPSHOT_KEY,
} from './relayMessage.ts';
import { RelayMessages, LeftOut, readForm, Vault } from './relayMessages.ts';
import type { Redis, KeptSnapshot, OpenStreams, PrimaryLock, RelayReport, RelayVersion } from './types.ts';

/** Unreadable members of another version's value are empty, so that at least its protocol is known. */

const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function decodeJson(text: string): Record<string, unknown> | null {
  const parsed = parseJson(text);
  return parsed.ok ? readRecord(parsed.value) : null;
}

function readPosition(value: unknown): Position | null {
  const { run, number } = readRecord(value);
  const position = { run: readCount(run), number: readCount(number) };
  return position.run === null || position.number === null
    ? null
    : { run: position.run, number: position.number };
}

function readVersion(value: Record<string, unknown>): RelayVersion | null {
  const protocol = readCount(value['protocol']);
  if (protocol === null) return null;
  return {
    protocol,
    version: readText(value['version']) ?? '',
    commit: readText(value['commit']) ?? '',
  };
}

export function encodeSnapshot({ packed, ...head }: KeptSnapshot): Uint8Array {
  const writer = new ByteWriter();
  writer.json(head);
  writer.part(packed);
  return writer.written();
}

export const decodeSnapshot = (bytes: Uint8Array): KeptSnapshot | null =>
  readForm(bytes, (reader) => {
    const head = decodeJson(reader.text());
    const version = head && readVersion(head);
    if (!head || !version) return null;
    const streams = readRecord(head['streams']);
    return {
      ...version,
      position: readPosition(head['position']) ?? { run: 0, number: 0 },
      epoch: readText(head['epoch']) ?? '',
      seq: readCount(head['seq']) ?? 0,
      streams: { all: readCount(streams['all']) ?? 0, perAddress: readCount(streams['perAddress']) ?? 0 },
      packed: reader.part(),
    };
  });

const readStreams = (value: Record<string, unknown>): OpenStreams => ({
  pages: readCount(value['pages']) ?? 0,
  alertPages: readCount(value['alertPages']) ?? 0,
  addresses: readMap(value['addresses'], readCount),
  alertAddresses: readMap(value['alertAddresses'], readCount),
});

const encodeStreams = (streams: OpenStreams): Uint8Array => encodeJson(streams);

function decodeStreams(bytes: Uint8Array): OpenStreams | null {
  const value = decodeJson(new TextDecoder().decode(bytes));
  return value && readStreams(value);
}

export const encodeReport = (report: RelayReport): Uint8Array => encodeJson(report);

export function decodeReport(bytes: Uint8Array): RelayReport | null {
  const value = decodeJson(new TextDecoder().decode(bytes));
  const version = value && readVersion(value);
  const id = value && readText(value['id']);
  if (!version || !id) return null;
  return {
    ...version,
    id,
    name: readText(value['name']) ?? id,
    startedAt: readNumber(value['startedAt']) ?? 0,
    ...readStreams(value),
    bytes: readCount(value['bytes']) ?? 0,
    position: readPosition(value['position']),
  };
}

export const encodeLock = (lock: PrimaryLock): Uint8Array => encodeJson(lock);

export function decodeLock(bytes: Uint8Array): PrimaryLock | null {
  const value = decodeJson(new TextDecoder().decode(bytes));
  const instance = value && readText(value['instance']);
  if (!instance) return null;
  return {
    instance,
    name: readText(value['name']) ?? instance,
    since: readNumber(value['since']) ?? 0,
  };
}

const REPORT_MS = 10_000;
const MAX_REPORTS = 500;
/** Keys per round of a search, because other programs may store keys too. */
const ROUND_KEYS = '1000';
const MAX_ROUNDS = 1000;

const STREAMS_PLACE = 'streams';
const placeOf = (id: string): string => `report ${id}`;

class Reports {
  constructor(
    private readonly connection: Connection,
    private readonly vault: Vault,
  ) {}

  async keep(report: RelayReport): Promise<void> {
    const sealed = this.vault.close(placeOf(report.id), encodeReport(report));
    await this.connection.ask('SET', [reportKey(report.id), sealed, 'PX', String(REPORT_MS)]);
  }

  async drop(id: string): Promise<void> {
    await this.connection.ask('DEL', [reportKey(id)]);
  }

  async keepOwnStreams(own: OpenStreams | null): Promise<void> {
    if (own === null) return void (await this.connection.ask('DEL', [PRIMARY_STREAMS_KEY]));
    const sealed = this.vault.close(STREAMS_PLACE, encodeStreams(own));
    await this.connection.ask('SET', [PRIMARY_STREAMS_KEY, sealed, 'PX', String(REPORT_MS)]);
  }

  async primaryStreams(): Promise<OpenStreams | null> {
    const sealed = await this.connection.ask('GET', [PRIMARY_STREAMS_KEY]);
    return typeof sealed === 'string' ? this.vault.open(STREAMS_PLACE, sealed, decodeStreams) : null;
  }

  async list(): Promise<RelayReport[]> {
    const ids = (await this.#ids()).toSorted();
    if (ids.length === 0) return [];
    const kept = readMembers(await this.connection.ask('MGET', ids.map(reportKey)));
    return ids.flatMap((id, index) => {
      const sealed = kept[index];
      if (typeof sealed !== 'string') return [];
      const report = this.vault.open(placeOf(id), sealed, decodeReport);
      return report?.id === id ? [report] : [];
    });
  }

  async ages(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const left = await Promise.all(ids.map((id) => this.connection.ask('PTTL', [reportKey(id)])));
    const ages = new Map<string, number>();
    for (const [index, id] of ids.entries()) {
      const ms = left[index];
      if (typeof ms === 'number' && ms >= 0) ages.set(id, Math.max(0, REPORT_MS - ms));
    }
    return ages;
  }

  async #ids(): Promise<string[]> {
    const ids = new Set<string>();
    let cursor = '0';
    for (let round = 0; round < MAX_ROUNDS && ids.size < MAX_REPORTS; round += 1) {
      const args = [cursor, 'MATCH', REPORT_PATTERN, 'COUNT', ROUND_KEYS];
      const [next, keys] = readMembers(await this.connection.ask('SCAN', args));
      for (const key of readMembers(keys)) {
        const id = typeof key === 'string' ? reportId(key) : null;
        if (id !== null) ids.add(id);
      }
      cursor = String(next);
      if (cursor === '0') break;
    }
    return [...ids].slice(0, MAX_REPORTS);
  }
}

const LOCK_MS = 15_000;
const PLACE = 'lease';
/** Another process may change the lock between reading and writing. */
const MAX_TRIES = 5;

const RENEW = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1
end
return 0`;

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

class Lock {
  constructor(
    private readonly connection: Connection,
    private readonly vault: Vault,
  ) {}

  async hold(lock: PrimaryLock): Promise<PrimaryLock | null> {
    const sealed = this.vault.close(PLACE, encodeLock(lock));
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const held = await this.#held();
      if (held && held.lock.instance !== lock.instance) return held.lock;
      if (held ? await this.#renew(held.sealed, sealed) : await this.#receive(sealed)) return null;
    }
    throw new RedisError('Several primaries request the lock in Redis at once.');
  }

  async release(instance: string): Promise<void> {
    const held = await this.#held();
    if (held?.lock.instance !== instance) return;
    await this.connection.ask('EVAL', [RELEASE, '1', LOCK_KEY, held.sealed]);
  }

  /** The sealed lock; null if it is free. Removes a key of another type, because no primary wrote it. */
  async #sealed(): Promise<string | null> {
    try {
      const sealed = await this.connection.ask('GET', [LOCK_KEY]);
      return typeof sealed === 'string' ? sealed : null;
    } catch (error) {
      if (!(error instanceof RedisError && error.reason === 'kind')) throw error;
      await this.connection.ask('DEL', [LOCK_KEY]);
      return null;
    }
  }

  async #receive(sealed: string): Promise<boolean> {
    const answer = await this.connection.ask('SET', [LOCK_KEY, sealed, 'NX', 'PX', String(LOCK_MS)]);
    return answer === 'OK';
  }

  async #renew(held: string, sealed: string): Promise<boolean> {
    const answer = await this.connection.ask('EVAL', [RENEW, '1', LOCK_KEY, held, sealed, String(LOCK_MS)]);
    return answer === 1;
  }

  async #held(): Promise<{ sealed: string; lock: PrimaryLock } | null> {
    const sealed = await this.#sealed();
    if (sealed === null) return null;
    const lock = this.vault.open(PLACE, sealed, decodeLock);
    if (lock) return { sealed, lock };
    // No primary sets a longer expiry. Otherwise one with another secret may be running.
    const leftMs = Number(await this.connection.ask('PTTL', [LOCK_KEY]));
    if (leftMs < 0 || leftMs > LOCK_MS) {
      await this.connection.ask('EVAL', [RELEASE, '1', LOCK_KEY, sealed]);
      return null;
    }
    throw new RedisError(
      'Another Bellbird publishes to this Redis with another BELLBIRD_RELAY_SECRET. Set the same secret everywhere, or give each its own Redis or database number.',
    );
  }
}

/**
 * Warns if Redis may evict keys: a message dropped in the middle ends all streams of the relays.
 * @returns whether the policy could be read
 */
async function warnOfEviction(connection: Connection, log: Log): Promise<boolean> {
  try {
    const settings = await connection.ask('CONFIG', ['GET', 'maxmemory*']);
    if (!isRecord(settings)) return false;
    const { maxmemory, 'maxmemory-policy': policy } = settings;
    if (maxmemory === '0' || policy === 'noeviction' || typeof policy !== 'string') return false;
    log.warn('Redis drops keys when it is full; set its maxmemory-policy to noeviction', { policy });
    return true;
  } catch (error) {
    log.debug('Could not read the configuration of Redis', { error });
    return false;
  }
}

const QUESTION_MS = 5000;

/**
 * Relays ask whether the primary is alive, by an empty mark. Many relays set the same mark, and the primary
 * deletes it unread, so writes by others are harmless.
 */
class Questions {
  constructor(private readonly connection: Connection) {}

  async ask(): Promise<void> {
    await this.connection.ask('SET', [QUESTION_KEY, '1', 'PX', String(QUESTION_MS)]);
  }

  async take(): Promise<boolean> {
    return (await this.connection.ask('UNLINK', [QUESTION_KEY])) === 1;
  }
}

/** Two minutes of a stream with ten events per second. */
const KEPT_FRAMES = 1200;
const SNAPSHOT_PLACE = 'snapshot';

export type RedisClientOptions = {
  url: string;
  secret: string;
  clock: Stopwatch;
  log: Log;
  keptFrames?: number;
  schedule?: Scheduler;
};

/** Warns once, at the first connection that shows it, that Redis may evict data. */
function watchPolicy(connection: Connection, log: Log): void {
  let isWarned = false;
  connection.listen({
    up: () => {
      if (isWarned) return;
      void warnOfEviction(connection, log).then((warned) => {
        isWarned ||= warned;
      });
    },
  });
}

const connectionOf = (connection: Connection) =>
  ({
    start: () => connection.start(),
    stop: async () => connection.stop(),
    isUp: () => connection.isUp(),
    problem: () => connection.problem(),
    listen: (listener) => connection.listen(listener),
  }) satisfies Partial<Redis>;

const reportingOf = (reports: Reports, questions: Questions) =>
  ({
    report: (report) => reports.keep(report),
    unreport: (id) => reports.drop(id),
    reports: () => reports.list(),
    ages: (ids) => reports.ages(ids),
    keepOwnStreams: (own) => reports.keepOwnStreams(own),
    primaryStreams: () => reports.primaryStreams(),
    wasAsked: () => questions.take(),
    askForWord: () => questions.ask(),
  }) satisfies Partial<Redis>;

/** The client of Redis or Valkey. It connects later. @throws for an invalid address */
export function createRedis(options: RedisClientOptions): Redis & { leftOut(): number } {
  const { secret, clock, log, keptFrames = KEPT_FRAMES, schedule = timerScheduler } = options;
  const address = readEngineAddress(options.url);
  if (!address) throw new Error('BELLBIRD_ENGINE_URL must have the form redis://host:port.');
  const leftOut = new LeftOut(log);
  const vault = new Vault(secret, leftOut);
  const connection = new Connection({ address, log, schedule });
  const relayMessages = new RelayMessages({ connection, vault, stopwatch: clock, log, keptFrames });
  const lock = new Lock(connection, vault);
  watchPolicy(connection, log);
  return {
    ...connectionOf(connection),
    ...reportingOf(new Reports(connection, vault), new Questions(connection)),
    publish: (placed) => relayMessages.publish(placed),
    newest: () => relayMessages.newest(),
    newestSealed: () => relayMessages.newestSealed(),
    read: (after, waitMs) => relayMessages.read(after, waitMs),
    holdLock: (wanted) => lock.hold(wanted),
    releaseLock: (instance) => lock.release(instance),
    async keepSnapshot(snapshot) {
      await connection.ask('SET', [SNAPSHOT_KEY, vault.close(SNAPSHOT_PLACE, encodeSnapshot(snapshot))]);
    },
    async snapshot() {
      const sealed = await connection.ask('GET', [SNAPSHOT_KEY]);
      return typeof sealed === 'string' ? vault.open(SNAPSHOT_PLACE, sealed, decodeSnapshot) : null;
    },
    leftOut: () => leftOut.count,
  };
}
