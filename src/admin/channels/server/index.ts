import { Elysia } from 'elysia';
import type { ChatPlatform } from '#subjects/chats/rules/chatPlatform.ts';
import type { Auth } from '#platform/http/auth.ts';
import type { Inspection } from '#lib/inspection.ts';
import { Repetition } from '#lib/repetition.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Core, Part } from '#src/part.ts';
import { readRecord } from '#lib/read.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { CHANNELS } from '../contract.ts';
import { DailySummaries } from './daily.ts';
import { DailyHeads } from './heads.ts';
import { DeviceBroadcasts } from './deviceBroadcasts.ts';
import { channelLimits, type ChannelsDeps, HeardMessages, KEPT, type SummaryNeeds } from './deps.ts';
import { Channels } from './service.ts';
import { channelStore } from './store.ts';

/** How often it is looked whether something is due that is sent once a day: a simulated day may pass some hundred times as fast. */
const LOOK_MS = 10_000;

/** The newest broadcasts with what became of each, and a new one. */
const broadcastRoutes = (auth: Auth, service: Channels) =>
  new Elysia({ name: 'channels.broadcasts' })
    .use(auth)
    .get('/admin/channels/broadcasts', () => ({ broadcasts: service.broadcasts(), reach: service.reach() }), {
      minLevel: 4,
      ...routeSchemas(CHANNELS['GET /api/admin/channels/broadcasts']),
    })
    .post(
      '/admin/channels/broadcast',
      ({ user, body }) => ({
        success: true as const,
        broadcast: service.broadcast(user.id, readRecord(body)),
      }),
      { minLevel: 4, ...routeSchemas(CHANNELS['POST /api/admin/channels/broadcast']) },
    );

/** The channels of specification 7.7. */
const routesOf = (auth: Auth, service: Channels) =>
  new Elysia({ name: 'channels' })
    .use(auth)
    .get('/admin/channels', () => ({ channels: service.list() }), {
      minLevel: 4,
      ...routeSchemas(CHANNELS['GET /api/admin/channels']),
    })
    .post('/admin/channels', ({ user, body }) => ({ channel: service.add(user.id, readRecord(body)) }), {
      minLevel: 4,
      ...routeSchemas(CHANNELS['POST /api/admin/channels']),
    })
    .put(
      '/admin/channels/:id',
      ({ user, params, body }) => ({ channel: service.change(user.id, params.id, readRecord(body)) }),
      { minLevel: 4, ...routeSchemas(CHANNELS['PUT /api/admin/channels/:id']) },
    )
    .delete(
      '/admin/channels/:id',
      ({ user, params }) => {
        service.remove(user.id, params.id);
        return { success: true as const };
      },
      { minLevel: 4, ...routeSchemas(CHANNELS['DELETE /api/admin/channels/:id']) },
    )
    .use(broadcastRoutes(auth, service))
    .get(
      '/admin/channels/:id/messages',
      ({ user, params, query }) => service.messages(user.id, params.id, query.limit ?? KEPT),
      { minLevel: 4, ...routeSchemas(CHANNELS['GET /api/admin/channels/:id/messages']) },
    );

type ChannelsCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  config: Pick<Core['config'], ChatPlatform | 'publicUrl'>;
} & Pick<SummaryNeeds, 'source'>;

export type ChannelsNeeds = Pick<SummaryNeeds, 'market' | 'calls'> &
  Pick<ChannelsDeps, 'audit' | 'outbox' | 'botName' | 'readDiscord' | 'devices'> & {
    auth: Auth;
    schedule?: Scheduler;
  };

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
function dailyMessages(deps: ChannelsDeps, schedule: Scheduler) {
  const summaries = new DailySummaries(deps);
  const heads = new DailyHeads(deps);
  const looks = [
    { work: () => summaries.look(), failure: 'The daily summary could not be sent; trying again' },
    { work: () => heads.look(), failure: 'The head of the ledger could not be sent; trying again' },
  ].map((one) => ({
    work: one.work,
    repetition: new Repetition({ ...one, everyMs: LOOK_MS, schedule, log: deps.log }),
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
export function createChannels(core: ChannelsCore, needs: ChannelsNeeds) {
  const { db, clock, log, config, source } = core;
  const { auth, schedule = timerScheduler, ...rest } = needs;
  const common = { store: channelStore(db), log: log.child('channels') };
  const toDevices = new DeviceBroadcasts({ ...rest, ...common, schedule });
  const deps: ChannelsDeps = {
    ...rest,
    ...common,
    clock,
    source,
    heard: new HeardMessages(),
    writeToDevices: () => toDevices.look(),
    publicUrl: config.publicUrl,
    hasBot: (platform) => config[platform].token !== null,
    ...channelLimits(clock),
  };
  const service = new Channels(deps);
  const daily = dailyMessages(deps, schedule);
  return {
    name: 'channels',
    service,
    routes: () => routesOf(auth, service),
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
