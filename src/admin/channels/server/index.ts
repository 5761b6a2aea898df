import type { Inspection } from '#lib/inspection.ts';
import type { App, Part } from '#platform/app.ts';
import { readRecord } from '#lib/read.ts';
import { serve } from '#platform/http/routes.ts';
import { CHANNELS } from '../contract.ts';
import { dailyMessages } from './daily.ts';
import { Channels, KEPT } from './service.ts';

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

const inspected = ({ store, receivedMessages: received }: Channels): Inspection => {
  const rows = store.all();
  return {
    label: 'Channels',
    description: 'Channels that administrators send messages to, and messages received in them.',
    summary: {
      channels: rows.length,
      subscribed: rows.filter(({ subscribed }) => subscribed).length,
      daily: rows.filter(({ sendDaily }) => sendDaily).length,
      broken: rows.filter(({ brokenReason }) => brokenReason !== null).length,
      heard: received.count(),
    },
    data: () => rows.map(({ chatId: _hidden, ...row }) => row),
  };
};

export function createChannels(app: App, readDiscord: ConstructorParameters<typeof Channels>[2]) {
  const log = app.log.child('channels');
  const service = new Channels(app, log, readDiscord);
  const daily = dailyMessages(app, service.store, log);
  return {
    name: 'channels',
    service,
    routes: () => routesOf(service),
    start() {
      daily.start();
      service.toDevices.start();
    },
    stop() {
      daily.stop();
      service.toDevices.stop();
    },
    inspect: () => inspected(service),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    channels: Channels;
  }
}
