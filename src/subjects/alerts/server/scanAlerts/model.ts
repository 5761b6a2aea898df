import { t } from 'elysia';
import type {
  ScanAlertConflict,
  ScanAlertView,
  ScanRehearsal,
  ScanTriggerView,
} from '../../rules/scanAlerts/scanTrigger.ts';

// Made by the server from checked values: typed for the client, not walked through again for every answer.
export const scanAlertAnswer = t.Unsafe<ScanAlertView>(t.Any());
export const scanAlertsAnswer = t.Unsafe<{ scan_alerts: ScanAlertView[]; limit: number }>(t.Any());
export const scanConflictAnswer = t.Unsafe<ScanAlertConflict>(t.Any());
export const scanTriggersAnswer = t.Unsafe<{ triggers: ScanTriggerView[] }>(t.Any());
export const scanRehearsalAnswer = t.Unsafe<ScanRehearsal>(t.Any());
export const removed = t.Object({ success: t.Literal(true) });

/** Hardly a shape: what is wrong with each is for the rules to say. */
const what = {
  scan: t.Optional(t.Unknown()),
  event: t.Optional(t.Unknown()),
  scope: t.Optional(t.Unknown()),
  cooldown_minutes: t.Optional(t.Unknown()),
  day_maximum: t.Optional(t.Unknown()),
};
const choice = {
  ...what,
  name: t.Optional(t.Unsafe<string | null>(t.Unknown())),
  minute_maximum: t.Optional(t.Unknown()),
  active: t.Optional(t.Boolean({ error: 'A scan alert is switched on or off with true or false.' })),
  destinations: t.Optional(t.Unknown()),
};

export const createBody = t.Object(choice);
export const changeBody = t.Object({
  ...choice,
  snoozed_until: t.Optional(t.Unsafe<string | null>(t.Unknown())),
  version: t.Optional(t.Integer({ error: 'The version of a scan alert is a whole number.' })),
});
export const rehearsalBody = t.Object(what);
export const muteBody = t.Object({
  symbol: t.String({ maxLength: 20, error: 'Symbol is required' }),
  muted: t.Boolean({ error: 'Say with true or false whether the stock is not to be told today.' }),
});
export const scanAlertParams = t.Object({ id: t.Numeric() });
