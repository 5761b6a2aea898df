import type { Scheduler } from '#lib/scheduler.ts';
import { loadConfig } from '#src/config/config.ts';
import { openDb } from '#platform/db/open.ts';
import { createHttpClient, type Fetch } from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import { createDiscord } from '#platform/discord/client.ts';
import { createDiscordSender } from '#platform/discord/sender.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import { connectPush } from '#platform/push/index.ts';
import type { Sender } from '#platform/chatClients/sender.ts';
import { createTelegram } from '#platform/telegram/client.ts';
import { createTelegramSender } from '#platform/telegram/index.ts';
import { appOf } from './appOf.ts';

/*
 * A process that delivers the waiting messages of a database, and kills itself at a given step of a given message. The server decides the other
 * steps. Compiled like the product; it prints a line once nothing waits any more.
 */

const [dbPath = '', step = 'never', nth = '1'] = process.argv.slice(2);
const { config } = loadConfig(process.env);
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
let steps = 0;

/** Ends the process as a power cut would, when it reaches the step for the n-th time. */
function at(reached: string): void {
  if (reached !== step) return;
  steps += 1;
  if (steps === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

const { db } = openDb({ path: dbPath, copyFolder: null, now: clock.now() });
const log = createLog(({ level, message, properties }) => console.log(level, message, properties));
const fetchAt: Fetch = async (url, init) => {
  const isMessage = /sendMessage$|\/messages$|\/push\/\d{1,9}$/.test(url);
  if (isMessage) at('marked');
  const response = await fetch(url, init);
  if (isMessage) at('answered');
  return response;
};
const http = createHttpClient({ clock, fetch: fetchAt });

/** With the steps right before the mark and the outcome are written. */
const watched = (sender: Sender): Sender => ({
  ...sender,
  async send(outgoing) {
    const outcome = await sender.send(outgoing);
    at('outcome');
    return outcome;
  },
});

const core = { config, db, clock, http, log };
const telegram = createTelegram(appOf(core));
const discord = createDiscord(appOf(core));
const chats = [telegram && createTelegramSender(telegram), discord && createDiscordSender(discord)];
const { senders: toDevices } = connectPush(appOf({ ...core, jwtSecret: 'a secret of the tests' }));
const senders = [...chats.filter((sender) => sender !== null), ...toDevices].map(watched);
const schedule: Scheduler = (ms, run) => {
  const timer = setTimeout(() => {
    // Except in the first moment, a timer triggers every mark.
    at('unmarked');
    run();
  }, ms);
  return () => clearTimeout(timer);
};
const outbox = createOutbox(appOf({ ...core, schedule }), { senders, messageOf: () => null });
outbox.start();
for (;;) {
  const { waiting, sending } = outbox.service.counts();
  if (waiting + sending === 0) break;
  await Bun.sleep(10);
}
await outbox.stop();
console.log('Everything is delivered.');
process.exit(0);
