import { join } from 'node:path';
import { openDb } from '../../src/platform/db/open.ts';
import type { ChatPlatform } from '../../src/subjects/chats/rules/chatPlatform.ts';
import { createLog } from '../../src/lib/log.ts';
import { createOutbox } from '../../src/platform/outbox/index.ts';
import { complaints } from './deliveries.ts';
import { createFailingDiscord, DISCORD_TOKEN } from './failingDiscord.ts';
import { type Call, type Mishap, type Reply, serve } from './failingPlatform.ts';
import { createFailingTelegram, TELEGRAM_TOKEN } from './failingTelegram.ts';
import { to } from './outboxStage.ts';
import { openPushService, type PushMishap, type PushServer } from './pushService.ts';
import { addDevice, pushed } from './pushStage.ts';
import { REPEAT_MARK } from '../../src/platform/chatClients/messageText.ts';

/** Where a process is killed. Of the last two the server decides: when a message came in, and when it was delivered. */
export const STEPS = ['unmarked', 'marked', 'answered', 'outcome', 'arrived', 'delivered'] as const;
export type Step = (typeof STEPS)[number];

export type Lane = {
  env: Record<string, string>;
  dbPath: string;
  /** Writes this many messages, in turn to the platforms and their chats. */
  write(messages: number): void;
  /** What goes wrong with calls from now on. */
  setMishap(decide: () => Mishap): void;
  /** Kills the process when the n-th message from now on has come so far. */
  killAt(step: Step, nth: number, pid: () => number): void;
  /** What readers would complain of. */
  complaints(): string[];
  arrived(): number;
  stop(): void;
};

const CHATS = 8;
const chatOf = (platform: ChatPlatform, number: number): string =>
  platform === 'telegram' ? String(1000 + number) : `1${String(number).padStart(17, '0')}`;

/** What goes wrong at a push service, where it is one of what may go wrong at a platform. */
function pushMishapOf(mishap: Mishap): PushMishap {
  if (mishap === 'limited' || mishap === 'limitedAll') return { status: 429, retryAfter: '1' };
  if (mishap === 'error500' || mishap === 'html') return { status: 500 };
  if (mishap === 'error500Accepted' || mishap === 'cut' || mishap === 'cutAccepted') return mishap;
  return 'none';
}

/** Devices of two users in a new database. */
async function addDevices(dbPath: string, service: PushServer) {
  const { db } = openDb({ path: dbPath, copyFolder: null, now: Date.now() });
  const made = [];
  for (let number = 0; number < CHATS; number += 1) made.push(await addDevice(db, service, 1 + (number % 2)));
  db.$client.close();
  return made;
}

/** A database, both platforms and a push service, and what was written and came. */
export async function createLane(folder: string): Promise<Lane> {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const telegram = createFailingTelegram(clock);
  const discord = createFailingDiscord(clock);
  const push = await openPushService();
  const written = {
    push: new Array<{ chatId: string; text: string }>(),
    telegram: new Array<{ chatId: string; text: string }>(),
    discord: new Array<{ chatId: string; text: string }>(),
  };
  let kill: { step: Step; left: number; pid: () => number } | null = null;
  let count = 0;

  const reached = (step: Step): void => {
    if (kill?.step !== step) return;
    kill.left -= 1;
    if (kill.left === 0) process.kill(kill.pid(), 'SIGKILL');
  };
  const answering =
    (answer: (call: Call) => Reply) =>
    (call: Call): Reply => {
      const isMessage = /sendMessage$|\/messages$/.test(call.path);
      if (isMessage) reached('arrived');
      const reply = answer(call);
      if (isMessage) reached('delivered');
      return reply;
    };
  const servers = [await serve(answering(telegram.answer)), await serve(answering(discord.answer))] as const;
  push.listen(reached);
  const dbPath = join(folder, 'bellbird.db');
  const devices = await addDevices(dbPath, push);

  const pushArrivals = () =>
    push.arrivals.map(({ browser, notice, at }) => ({
      chatId: devices.find(({ number }) => number === browser)?.chatId ?? '',
      ...{ text: notice.title, isMarked: notice.body.includes(REPEAT_MARK), at },
    }));

  return {
    dbPath,
    env: {
      BELLBIRD_TELEGRAM_TOKEN: TELEGRAM_TOKEN,
      BELLBIRD_TELEGRAM_URL: servers[0].url,
      BELLBIRD_DISCORD_TOKEN: DISCORD_TOKEN,
      BELLBIRD_DISCORD_URL: `${servers[1].url}/api`,
      BELLBIRD_PUSH_SERVICES: push.origin,
    },
    write(messages) {
      const { db } = openDb({ path: dbPath, copyFolder: null, now: Date.now() });
      const outbox = createOutbox(
        { db, clock, log: createLog(() => {}) },
        { senders: [], messageOf: () => null },
      );
      for (let made = 0; made < messages; made += 1) {
        count += 1;
        const device = devices[count % devices.length];
        if (count % 3 === 0 && device) {
          written.push.push({ chatId: device.chatId, text: `m${count}` });
          outbox.service.add([pushed(device, `m${count}`)]);
          continue;
        }
        const platform = count % 2 === 0 ? 'telegram' : 'discord';
        const message = { chatId: chatOf(platform, (count >> 1) % CHATS), text: `m${count}` };
        written[platform].push(message);
        outbox.service.add([to(platform, message.chatId, message.text)]);
      }
      db.$client.close();
    },
    setMishap(decide) {
      telegram.setMishap(decide);
      discord.setMishap(decide);
      push.setMishap(() => pushMishapOf(decide()));
    },
    killAt: (step, nth, pid) => void (kill = { step, left: nth, pid }),
    complaints: () => [
      ...complaints(written.telegram, telegram.arrivals),
      ...complaints(written.discord, discord.arrivals),
      ...complaints(written.push, pushArrivals()),
      ...push.faults,
    ],
    arrived: () => telegram.arrivals.length + discord.arrivals.length + push.arrivals.length,
    stop: () => {
      for (const { stop } of servers) stop();
      push.stop();
    },
  };
}
