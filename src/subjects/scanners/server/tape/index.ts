import { Elysia } from 'elysia';
import { KEPT_DAYS, MINUTE_MS } from '#subjects/scanners/rules/tape/tape.ts';
import type { Auth } from '#platform/http/auth.ts';
import { userKey } from '#platform/http/callerKey.ts';
import {
  createEncodedAnswers,
  encodeInSteps,
  isSameVersion,
  sendEncoded,
  type Version,
} from '#platform/http/encodedAnswers.ts';
import type { ReadQueue, Steps } from '#platform/http/readQueue.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { Market } from '#market/types.ts';
import type { Core, Part } from '#src/part.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Inspection } from '#lib/inspection.ts';
import { TAPE } from '#subjects/scanners/contract.ts';
import { TapeReading } from './reading.ts';
import { TapeRecorder } from './recorder.ts';
import { TapeService } from './service.ts';
import { takeEarlierTape } from './earlier.ts';
import type { TapeFiles } from './files.ts';
import { tapeStore } from './store.ts';

const NOT_TAKEN = 'The tape of an earlier version is still in the database; the next start tries again';

/** What a crash may lose at most; SD cards wear out. */
const SAVE_EVERY_MS = 10 * 60_000;

/** Requests of one user in a minute: a hand on the slider asks a few times a second, and rests. */
const MAX_REQUESTS_A_MINUTE = 120;

export type TapeNeeds = {
  auth: Auth;
  market: Pick<Market, 'all' | 'get' | 'date'>;
  reads: Pick<ReadQueue, 'run'>;
  files: TapeFiles;
};

/** All who look at the live tape ask for the same few answers; a table of 600 stocks has 60 KB. */
const MAX_ENCODED = 3_000_000;

/** Who asks, and which of the tape's questions: 'changes'. */
type Asking = { userId: number; request: Request; what: string };

/**
 * Sends answers that are made and packed once as long as they stay the same.
 * @param version another one when an answer may be
 */
function createSending(version: () => Version, reads: Pick<ReadQueue, 'run'>) {
  const kept = createEncodedAnswers(MAX_ENCODED);
  return {
    /** @param key names what is asked for */
    async send<Answer>({ userId, request, what }: Asking, key: string, make: Steps<Answer>): Promise<Answer> {
      const now = version();
      const name = `${what} ${key}`;
      const known = kept.get(name, now);
      if (known) return sendEncoded<Answer>(known, request);
      const fresh = await reads.run(userKey(userId), `tape ${what}`, encodeInSteps(make, request));
      // Reading may have taken turns: what it read is of no one version then.
      if (isSameVersion(now, version())) kept.put(name, now, fresh);
      return sendEncoded<Answer>(fresh, request);
    },
    size: kept.size,
  };
}

type Send = ReturnType<typeof createSending>['send'];

/** The tape, for anyone who may see the scanners. */
const routesOf = (auth: Auth, tape: TapeService, send: Send, count: UserLimit) =>
  new Elysia({ name: 'tape', prefix: '/data' })
    .use(auth)
    .get(
      '/tape',
      ({ user, query, request }) => {
        count(user.id);
        const { table, date = '', time = '' } = query;
        return send({ userId: user.id, request, what: 'at' }, `${table} ${date} ${time}`, tape.at(query));
      },
      { minLevel: 1, ...routeSchemas(TAPE['GET /api/data/tape']) },
    )
    .get(
      '/tape/days',
      ({ user, request }) => {
        count(user.id);
        return send({ userId: user.id, request, what: 'days' }, '', tape.days());
      },
      { minLevel: 1, ...routeSchemas(TAPE['GET /api/data/tape/days']) },
    )
    .get(
      '/tape/changes',
      ({ user, query, request }) => {
        count(user.id);
        const { table, date = '', time = '', since = '' } = query;
        return send(
          { userId: user.id, request, what: 'changes' },
          `${table} ${date} ${time} ${since}`,
          tape.changes(query),
        );
      },
      { minLevel: 1, ...routeSchemas(TAPE['GET /api/data/tape/changes']) },
    );

function inspected(recorder: TapeRecorder, reading: TapeReading, encoded: number): Inspection {
  return {
    label: 'Tape of the scanners',
    description:
      'Which minutes of the scanners are kept, by day, the bytes of the running day on the disk, and those of answers and of decoded minutes that are held.',
    summary: { ...recorder.figures(), encoded, decoded: reading.held() },
    data: () => reading.days(),
  };
}

/**
 * Who stood in which scanner, minute by minute of the market's clock, for ten days. It is written every ten minutes, and
 * at the stop; each market source has a tape of its own.
 */
export function createTape(
  core: Pick<Core, 'db' | 'clock' | 'log' | 'source'>,
  { auth, market, reads, files }: TapeNeeds,
) {
  const { db, clock, source } = core;
  const log = core.log.child('tape');
  const store = tapeStore(files, source.name);
  const recorder = new TapeRecorder({ market, source, store, log });
  const reading = new TapeReading({ store, open: () => recorder.open(), log });
  const service = new TapeService({ market, clock: source.clock, reading });
  // Without a time it is the present minute that is asked for.
  const sending = createSending(
    () => [recorder.version(), Math.floor(source.clock.now() / MINUTE_MS)],
    reads,
  );
  const count = createUserLimit(clock, MAX_REQUESTS_A_MINUTE, 'Too many looks at the tape.');
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: 'tape',
    service,
    routes: () => routesOf(auth, service, sending.send, count),
    onChanges: () => recorder.onTick(),
    start() {
      timer ??= setInterval(() => recorder.save(), SAVE_EVERY_MS);
      takeEarlierTape(db, files).catch((error: unknown) => log.error(NOT_TAKEN, { error }));
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      recorder.save();
    },
    prune: () => ({ removed: store.prune(KEPT_DAYS), hasMore: false }),
    inspect: () => inspected(recorder, reading, sending.size()),
  } satisfies Part;
}
