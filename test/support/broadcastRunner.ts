import { broadcasts, channels } from '../../src/platform/db/administrationSchema.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { loadConfig } from '../../src/config.ts';
import { createAuditService } from '../../src/admin/audit/server/service.ts';
import { createChannels } from '../../src/admin/channels/server/index.ts';
import { createAuth } from '../../src/platform/http/auth.ts';
import { createHttpClient } from '../../src/lib/httpClient/client.ts';
import { createLog } from '../../src/lib/log.ts';
import { createOutbox } from '../../src/platform/outbox/index.ts';
import { createTelegram } from '../../src/platform/telegram/client.ts';
import { createTelegramSender } from '../../src/platform/telegram/sender.ts';
import { createHandSource } from './handSource.ts';

/*
 * A process that sends a message to every channel of a database, unless that was done, and ends once it is settled what
 * became of each. The test kills it on the way.
 */

const [dbPath = ''] = process.argv.slice(2);
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const { db } = openDb({ path: dbPath, copyFolder: null, now: clock.now() });
const log = createLog(() => undefined);
const { config } = loadConfig(process.env);
const http = createHttpClient({ clock });
const telegram = createTelegram({ config, http, clock });
const outbox = createOutbox(
  { db, clock, log },
  { senders: telegram ? [createTelegramSender(telegram)] : [], messageOf: () => null },
);
const { service } = createChannels(
  { db, clock, log, config, source: createHandSource(clock) },
  {
    auth: createAuth({ db, clock }, { jwtSecret: 'a secret of the tests, long enough for HS256' }),
    audit: createAuditService({ db, clock }),
    outbox: outbox.service,
    market: { all: () => new Map(), date: () => '' },
    calls: { since: () => [], runningResults: () => [], ledger: { head: () => null } },
    readDiscord: null,
    botName: () => null,
    devices: { reach: () => ({ people: 0, devices: 0 }), reachedAfter: () => [] },
  },
);
outbox.start();
if (db.select().from(broadcasts).all().length === 0) {
  const ids = db.select().from(channels).all();
  service.broadcast(1, { message: 'The market is open', channelIds: ids.map(({ id }) => id) });
}
const isOpen = (): boolean =>
  service
    .broadcasts()
    .some(({ results }) => results.some(({ status }) => status === 'waiting' || status === 'sending'));
while (isOpen()) await Bun.sleep(10);
console.log(JSON.stringify(service.broadcasts()));
process.exit(0);
