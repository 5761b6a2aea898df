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
const GONE = 'The channel no longer exists.';
const OFTEN = 'Too many changes in one minute.';
const EXAMPLE = { id: '1' };

const isOn = optional(anyOf<typeof flag | typeof boolean, unknown>([flag, boolean], boolean.read));

/** Channels on Telegram and Discord that administrators write to (specification 7.7). */
export const CHANNELS = {
  'GET /api/admin/channels': {
    access: 4,
    tag: 'Channels',
    summary: 'List channels',
    answer: channelsAnswer,
    example: {},
  },
  'POST /api/admin/channels': {
    access: 4,
    tag: 'Channels',
    summary: 'Add a channel',
    description:
      '`chatId` is a negative number or a public name such as `@news` for Telegram, and 17 to 20 digits for Discord. The channel is subscribed unless `subscribed` is false.',
    body: byRules(
      object({
        name: sent(text, { maxLength: MAX_CHANNEL_NAME }),
        platform: optional(
          sent(choice(CHAT_PLATFORMS), { default: 'discord', description: 'The default is Discord.' }),
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
    summary: 'Change what a channel receives',
    description:
      '`subscribed`: it can be chosen for messages. `sendDaily`: it gets a summary after the close.',
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
    description: 'Waiting messages to the channel are not sent.',
    params,
    answer: succeeded,
    refusals: { 404: GONE, 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'GET /api/admin/channels/broadcasts': {
    access: 4,
    tag: 'Channels',
    summary: 'List recent messages to channels',
    answer: broadcastsAnswer,
    example: {},
  },
  'POST /api/admin/channels/broadcast': {
    access: 4,
    tag: 'Channels',
    summary: 'Send a message to channels and devices',
    description: 'Returns immediately; the list of messages shows the deliveries.',
    body: byRules(
      object({
        channelIds: optional(sent(list(integer), { maxItems: MAX_CHANNELS })),
        devices: optional(
          described(boolean, 'Also send to the devices of all users who did not turn this off.'),
        ),
        message: sent(text, { minLength: 1, maxLength: MAX_BROADCAST }),
      }),
    ),
    answer: object({ success: done, broadcast }),
    refusals: { 429: 'Too many messages in one minute.' },
    example: { body: { channelIds: [1], message: 'The server restarts at six.' } },
  },
  'GET /api/admin/channels/:id/messages': {
    access: 4,
    tag: 'Channels',
    summary: 'List recent messages in a channel',
    description: 'At most 20. `note` explains what the platform does not show to bots.',
    params,
    query: object({ limit: optional(sent(numeric, { minimum: 1 })) }),
    answer: messagesAnswer,
    refusals: {
      404: GONE,
      429: 'Too many requests in one minute.',
      502: 'Discord refused or did not answer.',
    },
    example: { params: EXAMPLE, query: { limit: '5' } },
  },
} as const satisfies RouteContracts;
