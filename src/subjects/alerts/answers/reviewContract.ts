import { boolean, choice, list, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { pressedAnswer, reviewAnswer } from './review.ts';
import { MAX_PRESSED, REVIEW_PRESSES } from '../rules/review/finding.ts';

/** A key names at most all alerts of a person. */
const MAX_KEY = 1000;
const keys = sent(list(sent(text, { maxLength: MAX_KEY })), {
  minItems: 1,
  maxItems: MAX_PRESSED,
  error: `Name from 1 to ${MAX_PRESSED} findings by their keys.`,
});

/** The review of alerts. */
export const ALERT_REVIEW = {
  'GET /api/alerts/review': {
    tag: 'Alerts',
    summary: 'Review the alerts',
    description:
      'What to look at among the alerts that are on: whose stock left the list or is halted for weeks, whose chat or device ' +
      'takes nothing, that fired more than 20 times on a day of the last week, say the same, or did not fire in 30 days.',
    answer: reviewAnswer,
    example: {},
  },
  'POST /api/alerts/review': {
    tag: 'Alerts',
    summary: 'Settle findings of the review',
    description:
      '`pause`, `delete`, `merge` or `cooldown`, as far as a finding offers it; `keep` leaves it out for 90 days. A finding ' +
      'that is there no more is settled.',
    body: object({
      keys,
      press: sent(choice(REVIEW_PRESSES), {
        error: `A press is one of ${REVIEW_PRESSES.join(', ')}.`,
      }),
    }),
    answer: pressedAnswer,
    example: { body: { keys: ['silent alert 1'], press: 'keep' } },
  },
  'POST /api/alerts/review/unkeep': {
    tag: 'Alerts',
    summary: 'Have findings told again that were kept',
    body: object({ keys }),
    answer: reviewAnswer,
    example: { body: { keys: ['silent alert 1'] } },
  },
  'PUT /api/alerts/review/weekly': {
    tag: 'Alerts',
    summary: 'Have the review sent once a week, or not',
    description:
      'On Saturdays at 10:00 in Sydney, to all linked chats and devices, where there is anything to look at.',
    body: object({
      weekly: sent(boolean, { error: 'The weekly review is switched with true or false.' }, {}),
    }),
    answer: reviewAnswer,
    example: { body: { weekly: true } },
  },
} as const satisfies RouteContracts;
