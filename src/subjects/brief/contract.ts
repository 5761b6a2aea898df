import { anything } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { byRules } from '#lib/contract/requests.ts';
import { LOADING_OR_BUSY, OFTEN, type RouteContracts } from '#texts/routeContract.ts';
import { briefAnswer, briefChoiceAnswer } from './answers/brief.ts';

const member = byRules(anything);

export const BRIEF = {
  'GET /api/brief': {
    access: 1,
    tag: 'Market',
    summary: 'Read the morning brief',
    description:
      'Other markets overnight, gaps, price-sensitive announcements since the last close, surplus flips, halts, your lists, and events of HIGH impact. Figures that the source lacks are left out.',
    answer: briefAnswer,
    refusals: { 429: OFTEN, 503: LOADING_OR_BUSY },
    example: {},
  },
  'GET /api/settings/brief': {
    access: 1,
    tag: 'Settings',
    summary: 'Read the choice of the morning brief',
    answer: briefChoiceAnswer,
    example: {},
  },
  'PUT /api/settings/brief': {
    access: 1,
    tag: 'Settings',
    summary: 'Choose whether and when the morning brief is sent',
    description:
      'It is sent to your chats and devices on trading days, once a day and never after the open. Quiet hours hold it.',
    body: object({ active: member, minute: member }),
    answer: briefChoiceAnswer,
    example: { body: { active: false, minute: 590 } },
  },
} as const satisfies RouteContracts;
