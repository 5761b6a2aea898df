import { Elysia } from 'elysia';
import type { ChatPlatform } from '../../../subjects/chats/rules/chatPlatform.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Inspection } from '../../../lib/inspection.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Core, Part } from '../../../part.ts';
import { createDaily } from './daily.ts';
import type { ChannelsDeps, SummaryNeeds } from './deps.ts';
import { createHeardMessages, KEPT } from './heard.ts';
import { createChannelLimits } from './limits.ts';
import {
  broadcastAnswer,
  broadcastBody,
  broadcastsAnswer,
  changeBody,
  channelAnswer,
  channelBody,
  channelParams,
  channelsAnswer,
  messagesAnswer,
  messagesQuery,
  removed,
} from './model.ts';
import { type Channels, createChannelsService } from './service.ts';
import { channelStore } from './store.ts';

/** The channels of specification 7.7, and the newest broadcasts with what became of each. */
const routesOf = (auth: Auth, service: Channels) =>
  new Elysia({ name: 'channels' })
    .use(auth)
    .get('/admin/channels', () => ({ channels: service.list() }), {
      minLevel: 4,
      response: { 200: channelsAnswer },
    })
    .post('/admin/channels', ({ user, body }) => ({ channel: service.add(user.id, body ?? {}) }), {
      minLevel: 4,
      body: channelBody,
      response: { 200: channelAnswer },
    })
    .put(
      '/admin/channels/:id',
      ({ user, params, body }) => ({ channel: service.change(user.id, params.id, body ?? {}) }),
      { minLevel: 4, params: channelParams, body: changeBody, response: { 200: channelAnswer } },
    )
    .delete(
      '/admin/channels/:id',
      ({ user, params }) => {
        service.remove(user.id, params.id);
        return { success: true as const };
      },
      { minLevel: 4, params: channelParams, response: { 200: removed } },
    )
    .get('/admin/channels/broadcasts', () => ({ broadcasts: service.broadcasts() }), {
      minLevel: 4,
      response: { 200: broadcastsAnswer },
    })
    .post(
      '/admin/channels/broadcast',
      ({ user, body }) => ({ success: true as const, broadcast: service.broadcast(user.id, body ?? {}) }),
      { minLevel: 4, body: broadcastBody, response: { 200: broadcastAnswer } },
    )
    .get(
      '/admin/channels/:id/messages',
      ({ user, params, query }) => service.messages(user.id, params.id, query.limit ?? KEPT),
      { minLevel: 4, params: channelParams, query: messagesQuery, response: { 200: messagesAnswer } },
    );

type ChannelsCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  config: Pick<Core['config'], ChatPlatform | 'publicUrl'>;
} & Pick<SummaryNeeds, 'source'>;

export type ChannelsNeeds = Pick<SummaryNeeds, 'market' | 'calls'> &
  Pick<ChannelsDeps, 'audit' | 'outbox' | 'botName' | 'readDiscord'> & {
    auth: Auth;
    schedule?: Scheduler;
  };

/** Channels: their administration, messages to them, and the daily summary, which runs from `start` to `stop`. */
export function createChannels(core: ChannelsCore, needs: ChannelsNeeds) {
  const { db, clock, log, config, source } = core;
  const { auth, schedule = timerScheduler, ...rest } = needs;
  const heard = createHeardMessages();
  const store = channelStore(db);
  const deps: ChannelsDeps = {
    ...rest,
    ...{ clock, source, store, heard },
    log: log.child('channels'),
    publicUrl: config.publicUrl,
    hasBot: (platform) => config[platform].token !== null,
    ...createChannelLimits(clock),
  };
  const service = createChannelsService(deps);
  const daily = createDaily(deps, schedule);
  return {
    name: 'channels',
    service,
    routes: () => routesOf(auth, service),
    start: daily.start,
    stop: daily.stop,
    inspect(): Inspection {
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
    },
  } satisfies Part;
}
