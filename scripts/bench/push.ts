import { join } from 'node:path';
import { loadConfig } from '#src/config/config.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import type { Db } from '#platform/db/open.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import { connectPush } from '#platform/push/index.ts';
import type { Row } from './row.ts';
import { openBenchFile } from './support/alertMarket.ts';
import { watchLoop } from './support/loopWatch.ts';
import { coreOf } from '#support/coreOf.ts';

const QUEUED = 100_000;
const LIMIT_MS = 16;
const MINUTE_MS = 60_000;
const PEOPLE = 20_000;
const ASKED_EVERY_MS = 500;

/** A public key that is a point of the curve, and a secret. */
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const MESSAGE = {
  title: 'BHP 50.61 ▲ +1.7 %',
  lines: ['last crossed above 50.50 · 10:42 Sydney', 'Breakout', 'Delayed 20 min: quote of 10:22'],
  link: null,
  page: '#/watchlist?symbol=BHP',
  buttons: [{ action: 'snooze', target: 17, label: 'Snooze 1 h' }],
};

/** A message to each of very many devices, five a person. */
function fill(db: Db, origin: string): void {
  const { $client } = db;
  const user = $client.query(
    `INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (?, ?1, ?1, '', 0)`,
  );
  const device = $client.query(
    `INSERT INTO devices (id, user_id, endpoint, p256dh, auth, origin, name, session_id, created_at)
     VALUES (?, ?, ?, ?, ?, 'https://bell.example', 'Chrome on Android', 's', 0)`,
  );
  const message = $client.query(
    `INSERT INTO outbox (platform, chat_id, user_id, message, nonce, status, created_at, due_at)
     VALUES ('push', ?, ?, ?, ?, 'waiting', ?5, ?5)`,
  );
  const text = JSON.stringify(MESSAGE);
  $client.transaction(() => {
    for (let id = 1; id <= PEOPLE; id += 1) user.run(id);
    for (let id = 1; id <= QUEUED; id += 1) {
      const owner = 1 + (id % PEOPLE);
      device.run(id, owner, `${origin}/push/${id}`, KEYS.p256dh, KEYS.auth);
      message.run(`other:${id}`, owner, text, `bench${id}`, Date.now());
    }
  })();
  // What this wrote is not the server's to move into the database's file.
  $client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  Bun.gc(true);
}

async function openSink(): Promise<{ origin: string; stop(): void }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'support', 'pushSink.ts')], {
    stdout: 'pipe',
  });
  const { value } = await child.stdout.getReader().read();
  return { origin: new TextDecoder().decode(value).trim(), stop: () => child.kill() };
}

/** Watches the event loop until something is so, which is asked without being counted. @returns the longest, ms */
function createLook(): (isSo: () => boolean) => Promise<number> {
  return async (isSo) => {
    let longest = 0;
    do {
      const watch = watchLoop();
      await Bun.sleep(ASKED_EVERY_MS);
      longest = Math.max(longest, watch.longest());
      watch.stop();
    } while (!isSo());
    return longest;
  };
}

/**
 * A hundred thousand messages that wait as the server starts, each for a device of its own, and a push service of its own
 * process: how long the event loop is held while they are read and drained.
 * @param minutes how long it drains; all of it when left out
 */
export async function run(minutes = Number.POSITIVE_INFINITY): Promise<Row[]> {
  const { db, close } = openBenchFile();
  const sink = await openSink();
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  try {
    fill(db, sink.origin);
    const { config } = loadConfig({ BELLBIRD_PUSH_SERVICES: sink.origin });
    const core = { config, db, clock, http: createHttpClient({ clock }), log: createLog(() => {}) };
    const { senders } = connectPush(coreOf(core), 'a secret of the bench');
    const outbox = createOutbox(coreOf(core), { senders, messageOf: () => null });
    const look = createLook();
    const started = performance.now();
    outbox.start();
    const isRead = (): boolean => {
      const { platforms } = outbox.inspect().data();
      const queued = platforms.reduce((sum, { messages }) => sum + messages, 0);
      return outbox.service.counts().waiting <= queued;
    };
    const read = await look(isRead);
    const readMs = performance.now() - started;
    const from = { at: performance.now(), left: outbox.service.counts().waiting };
    let left = from.left;
    const longest = await look(() => {
      left = outbox.service.counts().waiting;
      return left === 0 || performance.now() - from.at >= minutes * MINUTE_MS;
    });
    const seconds = (performance.now() - from.at) / 1000;
    await outbox.stop();
    const rate = (from.left - left) / seconds;
    return [
      {
        what: `${QUEUED.toLocaleString('en-AU')} pushes that wait for as many devices as the server starts: the longest time that reading them holds the event loop`,
        measured: `${read.toFixed(1)} ms of processor time; all read in ${(readMs / 1000).toFixed(1)} s`,
        target: `≤ ${LIMIT_MS} ms`,
        ok: read <= LIMIT_MS,
      },
      {
        what: `Their draining, encrypted one by one, to a service that answers in 30 ms (${(from.left - left).toLocaleString('en-AU')} in ${seconds.toFixed(0)} s)`,
        measured: `${rate.toFixed(0)} a second; the event loop held ${longest.toFixed(1)} ms at most`,
        target: `≤ ${LIMIT_MS} ms`,
        ok: longest <= LIMIT_MS,
      },
    ];
  } finally {
    sink.stop();
    close();
  }
}
