import { openDb } from '../../src/platform/db/open.ts';
import { loadConfig } from '../../src/config.ts';
import { createAuth } from '../../src/platform/http/auth.ts';
import { createCalendar } from '../../src/subjects/calendar/server/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { createOutbox } from '../../src/platform/outbox/index.ts';
import { createHandCalendar } from './handCalendar.ts';
import { createHandSource } from './handSource.ts';

/*
 * A process that tells the reminders that are due in a database at a given time, and kills itself on the way: before the
 * message is written, between message and commit, or right after the commit.
 */

const [dbPath = '', step = 'never', at = '0'] = process.argv.slice(2);
const clock = { now: () => Number(at), monotonic: () => performance.now() };
const { db } = openDb({ path: dbPath, copyFolder: null, now: clock.now() });
const log = createLog(() => undefined);
const { config } = loadConfig({});
const outbox = createOutbox({ db, clock, log }, { senders: [], messageOf: () => null }).service;

function kill(reached: string): void {
  if (reached === step) process.kill(process.pid, 'SIGKILL');
}

const calendar = createCalendar(
  { db, clock, log, config, source: createHandSource(clock) },
  {
    auth: createAuth({ db, clock }, { jwtSecret: 'a secret of the tests, long enough for HS256' }),
    source: createHandCalendar(clock),
    outbox: {
      add(messages) {
        kill('marked');
        const nonces = outbox.add(messages);
        kill('written');
        return nonces;
      },
      wake: () => kill('committed'),
    },
    chatsOf: () => [{ platform: 'telegram', chatId: '1001' }],
  },
);
await calendar.start();
calendar.onChanges();
await calendar.stop();
process.exit(0);
