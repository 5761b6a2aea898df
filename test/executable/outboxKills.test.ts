import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from '#scripts/build/executable.ts';
import { createRandom } from '#lib/random.ts';
import {
  DISCORD_TOKEN,
  createFailingDiscord,
  type Mishap,
  MISHAPS,
  type Call,
  type Reply,
  serve,
  TELEGRAM_TOKEN,
  createFailingTelegram,
} from '../support/failingPlatform.ts';
import { openDb } from '#platform/db/open.ts';
import type { ChatPlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { createLog } from '#lib/log.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import { complaints } from '../support/deliveries.ts';
import { to } from '../support/outboxFixture.ts';
import { openPushService, type PushMishap, type PushServer } from '../support/pushService.ts';
import { addDevice, pushed } from '../support/pushFixture.ts';
import { REPEAT_MARK } from '#platform/chatClients/messageText.ts';
import { appOf } from '#support/appOf.ts';

/** Where a process is killed. The server decides the last two: when a message arrived, and when it was delivered. */
const STEPS = ['unmarked', 'marked', 'answered', 'outcome', 'arrived', 'delivered'] as const;
type Step = (typeof STEPS)[number];

type Lane = {
  env: Record<string, string>;
  dbPath: string;
  /** Writes this many messages, in turn to the platforms and their chats. */
  write(messages: number): void;
  /** Sets the fault of calls from now on. */
  setMishap(decide: () => Mishap): void;
  /** Kills the process when the n-th message from now on reaches the step. */
  killAt(step: Step, nth: number, pid: () => number): void;
  /** Problems that a recipient would notice. */
  complaints(): string[];
  arrived(): number;
  stop(): void;
};

const CHATS = 8;
const chatOf = (platform: ChatPlatform, number: number): string =>
  platform === 'telegram' ? String(1000 + number) : `1${String(number).padStart(17, '0')}`;

/** The push service’s equivalent of a platform’s fault, if it has one. */
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

/** A database, both platforms and a push service, with the written and the received messages. */
async function createLane(folder: string): Promise<Lane> {
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
    push.arrivals.map(({ browser, notification: notice, at }) => ({
      chatId: devices.find(({ number }) => number === browser)?.chatId ?? '',
      text: notice.title,
      isMarked: notice.body.includes(REPEAT_MARK),
      at,
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
      const outbox = createOutbox(appOf({ db, clock, log: createLog(() => {}) }), {
        senders: [],
        messageOf: () => null,
      });
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

const LANES = 4;
const KILLS_A_LANE = 50;
/** A hanging server would only make the runs longer: it leaves the same messages in doubt as a kill. */
const QUICK_MISHAPS: readonly Mishap[] = MISHAPS.filter((mishap) => !mishap.startsWith('hang'));

let folder = '';
let runner = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellbird-kills-'));
  await mkdir(join(folder, 'web'));
  runner = join(folder, 'runner');
  await buildExecutable({
    root: join(import.meta.dir, '..', '..'),
    entrypoint: join(import.meta.dir, '..', 'support', 'outboxRunner.ts'),
    outfile: runner,
    webFolder: join(folder, 'web'),
    commit: 'test',
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the process until it is killed, or nothing is left to deliver. @returns whether it was killed */
async function run(lane: Lane, step: Step | 'never', nth: number, limitMs: number): Promise<boolean> {
  const child = Bun.spawn([runner, lane.dbPath, step, String(nth)], {
    env: lane.env,
    stdout: 'ignore',
    stderr: 'ignore',
  });
  if (step !== 'never') lane.killAt(step, nth, () => child.pid);
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await child.exited;
  clearTimeout(timer);
  return child.signalCode === 'SIGKILL';
}

async function runLane(number: number): Promise<{ kills: number; complaints: string[]; arrived: number }> {
  const laneFolder = join(folder, `lane${number}`);
  await mkdir(laneFolder);
  const lane = await createLane(laneFolder);
  const random = createRandom(number + 1);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  let isHealing = false;
  lane.setMishap(() => (isHealing || random() < 0.85 ? 'none' : (pick(QUICK_MISHAPS) ?? 'none')));
  let kills = 0;
  lane.write(20);
  while (kills < KILLS_A_LANE) {
    lane.write(3);
    const step = STEPS[kills % STEPS.length] ?? 'marked';
    if (await run(lane, step, 1 + Math.floor(random() * 4), 3000)) kills += 1;
  }
  isHealing = true;
  await run(lane, 'never', 1, 60_000);
  lane.stop();
  return { kills, complaints: lane.complaints(), arrived: lane.arrived() };
}

test(`killed ${LANES * KILLS_A_LANE} times at every step: no message is lost or doubled without a mark, each chat in order`, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => runLane(number)));
  expect(lanes.flatMap(({ complaints }) => complaints)).toEqual([]);
  expect(lanes.map(({ kills }) => kills)).toEqual(Array.from({ length: LANES }, () => KILLS_A_LANE));
  for (const { arrived } of lanes) expect(arrived).toBeGreaterThan(KILLS_A_LANE * 3);
}, 600_000);
