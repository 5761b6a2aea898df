import { t } from 'elysia';
import type { AlertConflict, AlertView, TriggerView } from '../rules/alertView.ts';
import type { Evaluation } from '../rules/evaluation.ts';
import type { Destinations } from '../rules/alert.ts';
import type { Logic } from '../../conditions/rules/condition.ts';
import { NOT_IN_LIVE_LIST } from '../../../market/rules/liveSymbols.ts';

/** What the conditions of an alert see now; `at` is ISO 8601, by the market's clock. */
export type EvaluationView = Omit<Evaluation, 'at'> & { at: string | null };

// Made by the server from checked values: typed for the client, not walked through again for every answer.
export const alertAnswer = t.Unsafe<AlertView>(t.Any());
export const alertsAnswer = t.Unsafe<{ alerts: AlertView[] }>(t.Any());
export const conflictAnswer = t.Unsafe<AlertConflict>(t.Any());
export const evaluationAnswer = t.Unsafe<EvaluationView>(t.Any());
export const triggersAnswer = t.Unsafe<{ triggers: TriggerView[] }>(t.Any());
export const removed = t.Object({ success: t.Literal(true) });

const active = t.Optional(t.Boolean({ error: 'An alert is switched on or off with true or false.' }));
/** Hardly a shape: what is wrong with names, conditions and destinations is for the rules of alerts to say. */
const choice = {
  name: t.Optional(t.Unsafe<string | null>(t.Unknown())),
  active,
  persistent: t.Optional(t.Boolean({ error: 'Persistent is switched with true or false.' })),
  destinations: t.Optional(t.Unsafe<Partial<Destinations>>(t.Unknown())),
  note: t.Optional(t.Unsafe<string | null>(t.Unknown())),
  expires_at: t.Optional(t.Unsafe<string | null>(t.Unknown())),
};

const version = t.Optional(t.Integer({ error: 'The version of an alert is a whole number.' }));

export const createBody = t.Object({
  ...choice,
  symbol: t.String({ default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }),
  logic_json: t.Unsafe<Logic>(t.Optional(t.Unknown())),
});
export const changeBody = t.Object({
  ...choice,
  symbol: t.Optional(t.String({ maxLength: 40, error: NOT_IN_LIVE_LIST })),
  logic_json: t.Optional(t.Unsafe<Logic>(t.Unknown())),
  snoozed_until: t.Optional(t.Unsafe<string | null>(t.Unknown())),
  version,
});
export const undoBody = t.Object({ version });
export const alertParams = t.Object({ id: t.Numeric() });
export const listQuery = t.Object({ symbol: t.Optional(t.String({ maxLength: 40 })) });
