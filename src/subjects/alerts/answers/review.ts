import { boolean, choice, count, list, or, orNull, text } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { ALERT_KINDS, FINDING_KINDS, REVIEW_PRESSES } from '../rules/review/finding.ts';

const foundAlert = object(
  { of: choice(ALERT_KINDS), id: count, called: or(text, ''), symbol: orNull(text) },
  ['of', 'id'],
);

/** Something to look at among a person's alerts. */
export const finding = object(
  {
    key: described(text, 'Names it in a press.'),
    kind: choice(FINDING_KINDS),
    alerts: list(foundAlert),
    text: or(text, ''),
    presses: described(list(choice(REVIEW_PRESSES)), 'What helps; `keep` always does.'),
    cooldown: orNull(object({ from: count, to: count }, ['from', 'to'])),
  },
  ['key', 'kind'],
);

/** `GET /api/alerts/review`. */
export const reviewAnswer = always(
  object({
    findings: list(finding),
    overview: orNull(
      described(
        object({ on: or(count, 0), unfired: or(count, 0), unsent: or(count, 0) }),
        'How many alerts are on, how many of these never fired, and how many reach no chat and no device.',
      ),
    ),
    weekly: or(described(boolean, 'It is sent to chats and devices once a week.'), false),
    hasPlace: or(described(boolean, 'There is a chat or a device that it can be sent to.'), false),
  }),
);

/** What became of a press, and what is left to look at. */
export const pressedAnswer = always(
  object({
    done: or(described(count, 'Findings that are settled.'), 0),
    failed: list(object({ called: or(text, ''), reason: or(text, '') })),
    review: reviewAnswer,
  }),
);
