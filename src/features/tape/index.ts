import { Elysia } from 'elysia';
import { KEPT_DAYS, MINUTE_MS } from '../../domain/tape/tape.ts';
import type { Auth } from '../../http/auth.ts';
import { refusedFor } from '../../http/errors.ts';
import { createRateLimit, waitText } from '../../lib/rateLimit.ts';
import type { Market } from '../../market/types.ts';
import type { Core, Part } from '../../part.ts';
import { type Answers, createAnswers } from './answers.ts';
import { changesAnswer, changesQuery, daysAnswer, tapeAnswer, tapeQuery } from './model.ts';
import { createTapeReading } from './reading.ts';
import { createTapeRecorder } from './recorder.ts';
import { createTapeService, type Tape } from './service.ts';
import { tapeStore } from './store.ts';

/** What a crash may lose at most; SD cards wear out. */
const SAVE_EVERY_MS = 5 * 60_000;

/** Requests of one user in a minute: a hand on the slider asks a few times a second, and rests. */
const MAX_REQUESTS_A_MINUTE = 120;

export type TapeNeeds = { auth: Auth; market: Pick<Market, 'all' | 'get' | 'date'> };

function createLimit(clock: Core['clock']): (userId: number) => void {
  const requests = createRateLimit({ clock, limit: MAX_REQUESTS_A_MINUTE, windowMs: 60_000 });
  return (userId) => {
    const seconds = requests.take(String(userId));
    if (seconds > 0)
      throw refusedFor(seconds, 429, `Too many looks at the tape. Try again in ${waitText(seconds)}.`);
  };
}

/** The tape, for whoever may see the scanners. */
const routesOf = (auth: Auth, tape: Tape, answers: Answers, count: (userId: number) => void) =>
  new Elysia({ name: 'tape', prefix: '/data' })
    .use(auth)
    .get(
      '/tape',
      ({ user, query, request }) => {
        count(user.id);
        const { table, date = '', time = '' } = query;
        return answers.of(request, `at ${table} ${date} ${time}`, () => tape.at(query));
      },
      { minLevel: 1, query: tapeQuery, response: { 200: tapeAnswer } },
    )
    .get(
      '/tape/days',
      ({ user, request }) => {
        count(user.id);
        return answers.of(request, 'days', () => tape.days());
      },
      { minLevel: 1, response: { 200: daysAnswer } },
    )
    .get(
      '/tape/changes',
      ({ user, query, request }) => {
        count(user.id);
        const { table, date = '', time = '', since = '' } = query;
        return answers.of(request, `changes ${table} ${date} ${time} ${since}`, () => tape.changes(query));
      },
      { minLevel: 1, query: changesQuery, response: { 200: changesAnswer } },
    );

/**
 * Who stood in which scanner, minute by minute of the market's clock, for ten days. It is written every five minutes, and
 * at the stop; each market source has a tape of its own.
 */
export function createTape(core: Pick<Core, 'db' | 'clock' | 'log' | 'source'>, { auth, market }: TapeNeeds) {
  const { db, clock, source } = core;
  const log = core.log.child('tape');
  const store = tapeStore(db, source.name);
  const recorder = createTapeRecorder({ market, source, store, log });
  const reading = createTapeReading({ store, open: recorder.open, log });
  const service = createTapeService({ market, clock: source.clock, reading });
  // Without a time it is the present minute that is asked for.
  const answers = createAnswers(() => `${recorder.version()} ${Math.floor(source.clock.now() / MINUTE_MS)}`);
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: 'tape',
    service,
    routes: routesOf(auth, service, answers, createLimit(clock)),
    onChanges: recorder.onTick,
    start() {
      timer ??= setInterval(recorder.save, SAVE_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      recorder.save();
    },
    prune: () => ({ removed: store.prune(KEPT_DAYS), hasMore: false }),
    inspect: () => ({
      label: 'Tape of the scanners',
      description:
        'Which minutes of the scanners are kept, by day, and the bytes of the running day on the disk.',
      summary: { ...recorder.figures(), answers: answers.size() },
      data: () => reading.days(),
    }),
  } satisfies Part;
}
