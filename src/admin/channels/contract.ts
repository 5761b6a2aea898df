import { byRules, described, sent, succeeded } from '#lib/contract/requests.ts';
import { anyOf, boolean, choice, done, flag, integer, list, numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { CHAT_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import {
  broadcast,
  broadcastsAnswer,
  channelAnswer,
  channelsAnswer,
  messagesAnswer,
} from './answers/channels.ts';
import { MAX_BROADCAST, MAX_CHANNEL_NAME, MAX_CHANNELS } from './rules/channel.ts';

const params = object({ id: numeric });
const GONE = 'That channel no longer exists.';
const OFTEN = 'Too many changes within a minute.';
const EXAMPLE = { id: '1' };

const isOn = optional(anyOf<typeof flag | typeof boolean, unknown>([flag, boolean], boolean.read));

/** Channels on Telegram and Discord that administrators write to (specification 7.7). */
export const CHANNELS = {
  'GET /api/admin/channels': {
    access: 4,
    tag: 'Channels',
    summary: 'List the channels',
    answer: channelsAnswer,
    example: {},
  },
  'POST /api/admin/channels': {
    access: 4,
    tag: 'Channels',
    summary: 'Add a channel',
    description:
      'A Telegram channel or group has a negative number or a public name like `@news`, a Discord channel a number of 17 ' +
      'to 20 digits. It is subscribed unless `subscribed` says otherwise.',
    body: byRules(
      object({
        name: sent(text, { maxLength: MAX_CHANNEL_NAME }),
        platform: optional(
          sent(choice(CHAT_PLATFORMS), { default: 'discord', description: 'Discord when left out.' }),
        ),
        chatId: text,
        subscribed: isOn,
      }),
    ),
    answer: channelAnswer,
    refusals: { 429: OFTEN },
    example: { body: { name: 'News', platform: 'telegram', chatId: '-1001234567890' } },
  },
  'PUT /api/admin/channels/:id': {
    access: 4,
    tag: 'Channels',
    summary: 'Switch what a channel gets',
    description:
      '`subscribed`: it can be chosen for a message. `sendDaily`: it gets a summary after the close.',
    params,
    body: byRules(object({ subscribed: isOn, sendDaily: isOn })),
    answer: channelAnswer,
    refusals: { 404: GONE, 429: OFTEN },
    example: { params: EXAMPLE, body: { sendDaily: 1 } },
  },
  'DELETE /api/admin/channels/:id': {
    access: 4,
    tag: 'Channels',
    summary: 'Delete a channel',
    description: 'What waits to be sent there is not sent.',
    params,
    answer: succeeded,
    refusals: { 404: GONE, 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'GET /api/admin/channels/broadcasts': {
    access: 4,
    tag: 'Channels',
    summary: 'Read the newest messages to channels and what became of them',
    answer: broadcastsAnswer,
    example: {},
  },
  'POST /api/admin/channels/broadcast': {
    access: 4,
    tag: 'Channels',
    summary: 'Send a message to channels, and to everybody’s devices',
    description: 'The answer does not wait for the platforms; how it fares is in the list of broadcasts.',
    body: byRules(
      object({
        channelIds: optional(sent(list(integer), { maxItems: MAX_CHANNELS })),
        devices: optional(described(boolean, 'To the devices of everybody who did not switch that off.')),
        message: sent(text, { minLength: 1, maxLength: MAX_BROADCAST }),
      }),
    ),
    answer: object({ success: done, broadcast }),
    refusals: { 429: 'Too many messages within a minute.' },
    example: { body: { channelIds: [1], message: 'The server restarts at six.' } },
  },
  'GET /api/admin/channels/:id/messages': {
    access: 4,
    tag: 'Channels',
    summary: 'Read the recent messages of a channel',
    description: 'At most 20. `note` says what a platform does not show to a bot.',
    params,
    query: object({ limit: optional(sent(numeric, { minimum: 1 })) }),
    answer: messagesAnswer,
    refusals: {
      404: GONE,
      429: 'Asked too often within a minute.',
      502: 'Discord refused, or did not answer.',
    },
    example: { params: EXAMPLE, query: { limit: '5' } },
  },
} as const satisfies RouteContracts;
