import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';

const GONE = 'That channel no longer exists.';
const OFTEN = 'Too many changes within a minute.';
const flag = t.Optional(t.Union([t.UnionEnum([0, 1]), t.Boolean()]));

/** Channels on Telegram and Discord that administrators write to. */
export const CHANNELS: RouteDescriptions = {
  'GET /api/admin/channels': { tag: 'Channels', summary: 'List the channels', example: {} },
  'POST /api/admin/channels': {
    tag: 'Channels',
    summary: 'Add a channel',
    description:
      'A Telegram channel or group has a negative number or a public name like `@news`, a Discord channel a number of 17 ' +
      'to 20 digits. It is subscribed unless `subscribed` says otherwise.',
    body: t.Object({
      name: t.String({ maxLength: 80 }),
      platform: t.Optional(
        t.UnionEnum(['telegram', 'discord'], { default: 'discord', description: 'Discord when left out.' }),
      ),
      chatId: t.String(),
      subscribed: flag,
    }),
    refusals: { 429: OFTEN },
    example: { body: { name: 'News', platform: 'telegram', chatId: '-1001234567890' } },
  },
  'PUT /api/admin/channels/:id': {
    tag: 'Channels',
    summary: 'Switch what a channel gets',
    description:
      '`subscribed`: it can be chosen for a message. `sendDaily`: it gets a summary after the close.',
    body: t.Object({ subscribed: flag, sendDaily: flag }),
    refusals: { 404: GONE, 429: OFTEN },
    example: { params: { id: '1' }, body: { sendDaily: 1 } },
  },
  'DELETE /api/admin/channels/:id': {
    tag: 'Channels',
    summary: 'Delete a channel',
    description: 'What waits to be sent there is not sent.',
    refusals: { 404: GONE, 429: OFTEN },
    example: { params: { id: '1' } },
  },
  'GET /api/admin/channels/broadcasts': {
    tag: 'Channels',
    summary: 'Read the newest messages to channels and what became of them',
    example: {},
  },
  'POST /api/admin/channels/broadcast': {
    tag: 'Channels',
    summary: 'Send a message to channels',
    description: 'The answer does not wait for the platforms; how it fares is in the list of broadcasts.',
    body: t.Object({
      channelIds: t.Array(t.Integer(), { minItems: 1, maxItems: 100 }),
      message: t.String({ minLength: 1, maxLength: 4096 }),
    }),
    refusals: { 429: 'Too many messages within a minute.' },
    example: { body: { channelIds: [1], message: 'The server restarts at six.' } },
  },
  'GET /api/admin/channels/:id/messages': {
    tag: 'Channels',
    summary: 'Read the recent messages of a channel',
    description: 'At most 20. `note` says what a platform does not show to a bot.',
    refusals: {
      404: GONE,
      429: 'Asked too often within a minute.',
      502: 'Discord refused, or did not answer.',
    },
    example: { params: { id: '1' }, query: { limit: '5' } },
  },
};
