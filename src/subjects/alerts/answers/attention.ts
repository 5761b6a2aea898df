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
          key: described(text, 'Identifies the reason to dismiss.'),
          kind: choice(ATTENTION_KINDS),
          of: choice(ALERT_KINDS),
          id: count,
          called: or(text, ''),
          text: or(text, ''),
          cooldown: orNull(described(count, 'Suggested cooldown in minutes.')),
          duplicateOf: orNull(described(count, 'The id of the older alert.')),
        },
        ['key', 'kind', 'of', 'id'],
      ),
    ),
    weekly: or(described(boolean, 'The weekly message is on.'), false),
    hasPlace: or(described(boolean, 'The user has a chat or device that accepts messages.'), false),
  }),
);

const MAX_KEY = 100;

export const ALERT_ATTENTION = {
  'GET /api/alerts/attention': {
    access: 1,
    tag: 'Alerts',
    summary: 'List alerts that need attention',
    description:
      'Active alerts that cannot be delivered, watch a stock that is halted or no longer listed, fire too often, or are duplicates.',
    answer: attentionAnswer,
    example: {},
  },
  'PUT /api/alerts/attention/dismissed': {
    access: 1,
    tag: 'Alerts',
    summary: 'Dismiss reasons for 90 days or restore them',
    body: object({
      keys: sent(list(sent(text, { maxLength: MAX_KEY })), {
        minItems: 1,
        maxItems: MAX_DISMISSED,
        error: `Send 1 to ${MAX_DISMISSED} keys of reasons.`,
      }),
      dismissed: sent(boolean, { error: '`dismissed` must be true or false.' }, {}),
    }),
    answer: removedAnswer,
    example: { body: { keys: ['noisy alert 1'], dismissed: true } },
  },
  'PUT /api/alerts/attention/weekly': {
    access: 1,
    tag: 'Alerts',
    summary: 'Turn the weekly message on or off',
    description:
      'It is sent on Saturdays at 10:00 Sydney to all chats and devices, if any alerts need attention.',
    body: object({
      weekly: sent(boolean, { error: '`weekly` must be true or false.' }, {}),
    }),
    answer: removedAnswer,
    example: { body: { weekly: true } },
  },
} as const satisfies RouteContracts;
