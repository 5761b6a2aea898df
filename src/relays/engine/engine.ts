import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { readEngineAddress } from './address.ts';
import { Connection } from './connection.ts';
import { Frames } from './frames.ts';
import { decodeSnapshot, encodeSnapshot } from './keptForms.ts';
import { SNAPSHOT_KEY } from './keys.ts';
import { Lease } from './lease.ts';
import { Questions } from './questions.ts';
import { LeftOut } from './leftOut.ts';
import { warnOfEviction } from './policy.ts';
import { Reports } from './reports.ts';
import type { Engine } from './types.ts';
import { Vault } from './vault.ts';

/** Unless given: two minutes of a market whose stream tells something ten times a second. */
const KEPT_FRAMES = 1200;
const SNAPSHOT_PLACE = 'snapshot';

export type EngineOptions = {
  /** redis:// or rediss://, with user and password if the engine asks for them. */
  url: string;
  /** BELLBIRD_RELAY_SECRET. */
  secret: string;
  clock: Stopwatch;
  log: Log;
  /** How many of the last frames the engine keeps, at least. */
  keptFrames?: number;
  schedule?: Scheduler;
};

/** Says once, at the first connection that shows it, that the engine is not set up to keep what it is given. */
function watchPolicy(connection: Connection, log: Log): void {
  let isTold = false;
  connection.listen({
    up: () => {
      if (isTold) return;
      void warnOfEviction(connection, log).then((told) => {
        isTold ||= told;
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
  }) satisfies Partial<Engine>;

/** What primary and relays tell of themselves, and ask each other. */
const tellingOf = (reports: Reports, questions: Questions) =>
  ({
    report: (report) => reports.keep(report),
    unreport: (id) => reports.drop(id),
    reports: () => reports.list(),
    ages: (ids) => reports.ages(ids),
    keepOwnStreams: (own) => reports.keepOwnStreams(own),
    primaryStreams: () => reports.primaryStreams(),
    wasAsked: () => questions.take(),
    askForWord: () => questions.ask(),
  }) satisfies Partial<Engine>;

/**
 * The client of the message engine. Making it starts nothing.
 * @throws for an address that is none
 */
export function createEngine(options: EngineOptions): Engine & { leftOut(): number } {
  const { secret, clock, log, keptFrames = KEPT_FRAMES, schedule = timerScheduler } = options;
  const address = readEngineAddress(options.url);
  if (!address) throw new Error('The address of the message engine is not of the form redis://host:port.');
  const leftOut = new LeftOut(log);
  const vault = new Vault(secret, leftOut);
  const connection = new Connection({ address, log, schedule });
  const frames = new Frames({ connection, vault, stopwatch: clock, log, keptFrames });
  const lease = new Lease(connection, vault);
  watchPolicy(connection, log);
  return {
    ...connectionOf(connection),
    ...tellingOf(new Reports(connection, vault), new Questions(connection)),
    publish: (placed) => frames.publish(placed),
    newest: () => frames.newest(),
    newestSealed: () => frames.newestSealed(),
    read: (after, waitMs) => frames.read(after, waitMs),
    holdLease: (wanted) => lease.hold(wanted),
    releaseLease: (instance) => lease.release(instance),
    async keepSnapshot(snapshot) {
      await connection.ask('SET', [SNAPSHOT_KEY, vault.close(SNAPSHOT_PLACE, encodeSnapshot(snapshot))]);
    },
    async snapshot() {
      const sealed = await connection.ask('GET', [SNAPSHOT_KEY]);
      return typeof sealed === 'string' ? vault.open(SNAPSHOT_PLACE, sealed, decodeSnapshot) : null;
    },
    /** How many things in the engine could not be used. */
    leftOut: () => leftOut.count,
  };
}
