import { boolean, choice, count, list, or, orNull, text } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { described, sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { ALERT_KINDS, ATTENTION_KINDS, MAX_DISMISSED } from '../rules/attention.ts';
import { removedAnswer } from './watchlist.ts';

export const attentionAnswer = always(
  object({
    reasons: list(
      object(
        {
          key: described(text, 'Dismisses it.'),
          kind: choice(ATTENTION_KINDS),
          of: choice(ALERT_KINDS),
          id: count,
          called: or(text, ''),
          text: or(text, ''),
          cooldown: orNull(described(count, 'Minutes that the cooldown can be raised to.')),
          duplicateOf: orNull(described(count, 'The id of the older alert.')),
        },
        ['key', 'kind', 'of', 'id'],
      ),
    ),
    weekly: or(described(boolean, 'They are sent to chats and devices once a week.'), false),
    hasPlace: or(described(boolean, 'There is a chat or a device that takes messages.'), false),
  }),
);

const MAX_KEY = 100;

export const ALERT_ATTENTION = {
  'GET /api/alerts/attention': {
    access: 1,
    tag: 'Alerts',
    summary: 'List the alerts that need attention',
    description:
      'Of the alerts that are on: those not delivered to a chat or device, whose stock is no longer listed or is halted for ' +
      'weeks, that fired more than 20 times on a day of the last week, and duplicates.',
    answer: attentionAnswer,
    example: {},
  },
  'PUT /api/alerts/attention/dismissed': {
    access: 1,
    tag: 'Alerts',
    summary: 'Dismiss reasons for 90 days, or show them again',
    body: object({
      keys: sent(list(sent(text, { maxLength: MAX_KEY })), {
        minItems: 1,
        maxItems: MAX_DISMISSED,
        error: `Name from 1 to ${MAX_DISMISSED} reasons by their keys.`,
      }),
      dismissed: sent(boolean, { error: 'Reasons are dismissed with true and shown again with false.' }, {}),
    }),
    answer: removedAnswer,
    example: { body: { keys: ['noisy alert 1'], dismissed: true } },
  },
  'PUT /api/alerts/attention/weekly': {
    access: 1,
    tag: 'Alerts',
    summary: 'Switch the weekly message',
    description:
      'On Saturdays at 10:00 in Sydney, to all linked chats and devices, if any alerts need attention.',
    body: object({
      weekly: sent(boolean, { error: 'The weekly message is switched with true or false.' }, {}),
    }),
    answer: removedAnswer,
    example: { body: { weekly: true } },
  },
} as const satisfies RouteContracts;
