import type { Inspection } from '#lib/inspection.ts';
import { Repetition, type Scheduler } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { readRecord } from '#lib/read.ts';
import { serve } from '#platform/http/routes.ts';
import { CHANNELS } from '../contract.ts';
import { DailySummaries } from './daily.ts';
import { channelLimits, type ChannelsDeps, HeardMessages, KEPT } from './deps.ts';
import { Channels } from './service.ts';
import { channelStore, type ChannelStore } from './store.ts';
import { headDay, headMessage } from '../rules/dailySummary.ts';
import { addDays } from '#market/rules/sydneyTime.ts';
import { addToChannels, KEPT_DAYS } from './addToChannels.ts';
import type { Log } from '#lib/log.ts';
import type { OutboxService } from '#platform/outbox/index.ts';
import type { Devices } from '#subjects/devices/server/service.ts';
import { deviceMessage } from '../rules/channel.ts';

/** Written in one transaction, which takes a few milliseconds; the others follow after other work. */
const AT_ONCE = 200;
const RETRY_MS = 5000;

type DeviceBroadcastsDeps = {
  store: Pick<ChannelStore, 'inTransaction' | 'unfinishedBroadcast' | 'devicesDone'>;
  outbox: OutboxService;
  devices: Devices;
  schedule: Scheduler;
  log: Log;
};

/**
 * Writes what administrators say to everybody into the outbox, some devices at a time. How far it came is on disk with what
 * was written, so that a restart goes on and tells nobody twice.
 */
export class DeviceBroadcasts {
  #isRunning = false;
  #cancel: (() => void) | null = null;

  constructor(private readonly deps: DeviceBroadcastsDeps) {}

  start(): void {
    this.#isRunning = true;
    this.look();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** To be called after the commit of a new one. */
  look(): void {
    if (this.#isRunning) this.#cancel ??= this.deps.schedule(0, () => this.#writeSome());
  }

  #writeSome(): void {
    this.#cancel = null;
    try {
      if (!this.#writeNext()) return;
      this.deps.outbox.wake();
      this.look();
    } catch (error) {
      this.deps.log.error('A message to everybody could not be written; trying again', { error });
      if (this.#isRunning) this.#cancel = this.deps.schedule(RETRY_MS, () => this.#writeSome());
    }
  }

  /** @returns whether anything was left to write */
  #writeNext(): boolean {
    const { store, outbox, devices } = this.deps;
    return store.inTransaction(() => {
      const open = store.unfinishedBroadcast();
      if (!open) return false;
      const some = devices.reachedAfter(open.devicesDone, AT_ONCE);
      const message = deviceMessage(open.message);
      outbox.add(
        some.map(({ userId, platform, chatId }) => ({
          platform,
          chatId,
          userId,
          message,
          triggerId: null,
          mayWait: true,
          target: 'everybody' as const,
          broadcastId: open.id,
        })),
      );
      store.devicesDone(open.id, some.length < AT_ONCE ? null : (some.at(-1)?.id ?? null));
      return true;
    });
  }
}

/**
 * Tells the subscribed channels the head of the ledger, once a day, also when the server is killed in between: the message
 * and the note that it was sent are written together. A day on which the server was off until midnight has none.
 */
class DailyHeads {
  constructor(private readonly deps: ChannelsDeps) {}

  /** Looks whether a head is due. */
  look(): void {
    const { store, calls, clock, outbox, log, publicUrl, hasBot } = this.deps;
    const day = headDay(clock.now());
    if (day === null) return;
    const channels = store
      .withoutHead(day.date, day.since)
      .filter(({ platform, chatId }) => hasBot(platform) && chatId !== '');
    const head = channels.length === 0 ? null : calls.ledger.head();
    if (head === null) return;
    const message = headMessage(head, day.date, publicUrl);
    store.inTransaction(() => {
      addToChannels(outbox, channels, message, (channel, nonce) =>
        store.insertHead(channel, day.date, nonce),
      );
      store.pruneHeads(addDays(day.date, -KEPT_DAYS));
    });
    outbox.wake();
    log.info('The head of the ledger was sent', { line: head.number, channels: channels.length });
  }
}

/** How often it is looked whether something is due that is sent once a day: a simulated day may pass some hundred times as fast. */
const LOOK_MS = 10_000;

/** The newest broadcasts with what became of each, and a new one. */
const broadcastRoutes = (service: Channels) =>
  serve(CHANNELS, {
    'GET /api/admin/channels/broadcasts': () => ({
      broadcasts: service.broadcasts(),
      reach: service.reach(),
    }),
    'POST /api/admin/channels/broadcast': ({ user, body }) => ({
      success: true as const,
      broadcast: service.broadcast(user.id, readRecord(body)),
    }),
  });

/** The channels of specification 7.7. */
const routesOf = (service: Channels) => [
  ...serve(CHANNELS, {
    'GET /api/admin/channels': () => ({ channels: service.list() }),
    'POST /api/admin/channels': ({ user, body }) => ({ channel: service.add(user.id, readRecord(body)) }),
    'PUT /api/admin/channels/:id': ({ user, params, body }) => ({
      channel: service.change(user.id, params.id, readRecord(body)),
    }),
    'DELETE /api/admin/channels/:id': ({ user, params }) => {
      service.remove(user.id, params.id);
      return { success: true as const };
    },
    'GET /api/admin/channels/:id/messages': ({ user, params, query }) =>
      service.messages(user.id, params.id, query.limit ?? KEPT),
  }),
  ...broadcastRoutes(service),
];

const inspected = ({ store, heard }: ChannelsDeps): Inspection => {
  const rows = store.all();
  return {
    label: 'Channels',
    description: 'Channels that administrators write to, and what was heard in them.',
    summary: {
      channels: rows.length,
      subscribed: rows.filter(({ subscribed }) => subscribed).length,
      daily: rows.filter(({ sendDaily }) => sendDaily).length,
      broken: rows.filter(({ brokenReason }) => brokenReason !== null).length,
      heard: heard.count(),
    },
    data: () => rows.map(({ chatId: _hidden, ...row }) => row),
  };
};

/** Looks every few seconds, from its start on, whether something is due that is sent once a day. */
function dailyMessages(deps: ChannelsDeps) {
  const summaries = new DailySummaries(deps);
  const heads = new DailyHeads(deps);
  const looks = [
    { work: () => summaries.look(), failure: 'The daily summary could not be sent; trying again' },
    { work: () => heads.look(), failure: 'The head of the ledger could not be sent; trying again' },
  ].map((one) => ({
    work: one.work,
    repetition: new Repetition({ ...one, everyMs: LOOK_MS, schedule: deps.schedule, log: deps.log }),
  }));
  return {
    start(): void {
      for (const { work, repetition } of looks) {
        if (repetition.isOn) continue;
        repetition.safely(work);
        repetition.start();
      }
    },
    stop(): void {
      for (const { repetition } of looks) repetition.stop();
    },
  };
}

/** Channels: their administration, messages to them, and what they are told once a day, from `start` to `stop`. */
export function createChannels(app: App, readDiscord: ChannelsDeps['readDiscord']) {
  const { clock, config, db, devices, outbox, schedule } = app;
  const store = channelStore(db);
  const log = app.log.child('channels');
  const toDevices = new DeviceBroadcasts({ devices, log, outbox, schedule, store });
  const deps: ChannelsDeps = {
    ...app,
    log,
    readDiscord,
    store,
    heard: new HeardMessages(),
    writeToDevices: () => toDevices.look(),
    publicUrl: config.publicUrl,
    hasBot: (platform) => config[platform].token !== null,
    ...channelLimits(clock),
  };
  const service = new Channels(deps);
  const daily = dailyMessages(deps);
  return {
    name: 'channels',
    service,
    routes: () => routesOf(service),
    start() {
      daily.start();
      toDevices.start();
    },
    stop() {
      daily.stop();
      toDevices.stop();
    },
    inspect: () => inspected(deps),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    channels: Channels;
  }
}
