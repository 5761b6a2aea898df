import { anything } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { byRules } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { quietHoursAnswer } from './answers/quietHours.ts';

const member = byRules(anything);

export const QUIET_HOURS = {
  'GET /api/settings/quiet-hours': {
    access: 1,
    tag: 'Settings',
    summary: 'Read quiet hours',
    answer: quietHoursAnswer,
    example: {},
  },
  'PUT /api/settings/quiet-hours': {
    access: 1,
    tag: 'Settings',
    summary: 'Set quiet hours',
    description:
      'Messages to chats and devices are held and sent together. Urgent alerts, reminders and bot replies are not held.',
    body: object({ active: member, from: member, until: member, zone: member, digest: member }),
    answer: quietHoursAnswer,
    example: { body: { active: true, from: 1260, until: 420, zone: 'Australia/Perth', digest: 'end' } },
  },
} as const satisfies RouteContracts;
