import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';
import {
  rehearsedScan,
  scanAlert,
  scanAlertChoice,
  scanRehearsal,
  scanTrigger,
} from '../scanAlertSchemas.ts';

const GONE = 'The scan alert does not exist any more.';
const MOVERS = { type: 'scanner', key: 'intraDayMidLarge' };

/** Alerts on whole scans. */
export const SCAN_ALERTS: RouteDescriptions = {
  'GET /api/scan-alerts': {
    tag: 'Alerts',
    summary: 'List the alerts on whole scans',
    description: '`limit`: how many may be on by your plan.',
    answer: t.Object({ scan_alerts: t.Array(scanAlert), limit: t.Integer() }),
    example: {},
  },
  'POST /api/scan-alerts': {
    tag: 'Alerts',
    summary: 'Add an alert on a whole scan',
    description:
      'It fires for every stock that enters (or leaves) a scanner or one of your saved scans, `{"type": "scan", "id": 7}`, within its limits: docs/alerts.md.',
    body: t.Object({ ...scanAlertChoice, scan: rehearsedScan.scan }),
    answer: scanAlert,
    example: {
      body: { name: 'Movers', scan: MOVERS, event: 'enters', scope: 'market', cooldown_minutes: 30 },
    },
  },
  'PATCH /api/scan-alerts/:id': {
    tag: 'Alerts',
    summary: 'Change an alert on a whole scan',
    description:
      'With `version`, a change that another one came before is answered 409 with the alert as it stands. `snoozed_until` is at most 24 hours ahead.',
    body: t.Object({
      ...scanAlertChoice,
      scan: t.Optional(rehearsedScan.scan),
      snoozed_until: t.Optional(t.Nullable(t.String())),
      version: t.Optional(t.Integer()),
    }),
    answer: scanAlert,
    refusals: { 404: GONE, 409: 'The alert was changed meanwhile.' },
    refusalForms: { 409: t.Object({ error: t.String(), scan_alert: scanAlert }) },
    example: { params: { id: '1' }, body: { active: false } },
  },
  'DELETE /api/scan-alerts/:id': {
    tag: 'Alerts',
    summary: 'Delete an alert on a whole scan',
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
  'GET /api/scan-alerts/:id/triggers': {
    tag: 'Alerts',
    summary: 'See which stocks an alert on a whole scan told',
    answer: t.Object({ triggers: t.Array(scanTrigger) }),
    refusals: { 404: GONE },
    example: { params: { id: '1' } },
  },
  'POST /api/scan-alerts/:id/mutes': {
    tag: 'Alerts',
    summary: 'Have a stock not told in this session, or told again',
    body: t.Object({ symbol: t.String(), muted: t.Boolean() }),
    answer: scanAlert,
    refusals: { 404: GONE },
    example: { params: { id: '1' }, body: { symbol: 'BHP', muted: true } },
  },
  'POST /api/scan-alerts/rehearse': {
    tag: 'Alerts',
    summary: 'Try an alert on a whole scan on the days of the past',
    body: t.Object(rehearsedScan),
    answer: scanRehearsal,
    refusals: { 429: 'A newer rehearsal of the same user took its place.' },
    example: { body: { scan: MOVERS } },
  },
};
