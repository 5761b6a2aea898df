import type { ChartMark } from '#market/bars/rules/chart.ts';
import type { ChartedCall } from '#market/bars/rules/stockExtras.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { boolean, choice, count, epochMs, list, number, or, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { logic } from '#subjects/conditions/answers/logic.ts';

// Of these answers a chart reads only what it draws: one that lacks the rest is drawn too.
const mine = object({
  calls: list(
    object(
      {
        symbol: text,
        status: choice(['pending', 'open']),
        source: text,
        submittedAt: epochMs,
        fillPrice: number,
        entryPrice: number,
        targetPrice: number,
        stopLossType: text,
        stopLevel: number,
        stopLoss: number,
      },
      ['symbol', 'status'],
    ),
  ),
});
const alerts = object({
  alerts: list(
    object(
      { id: count, name: words, logic_json: logic, active: or(boolean, true), last_triggered_at: epochMs },
      ['id'],
    ),
  ),
});
const triggers = object({
  triggers: list(object({ marketTime: epochMs, timestamp: epochMs, source: text })),
});

/** An own call that is not over. */
export type OwnCall = ChartedCall & {
  symbol: string;
  source: string | null;
  /** Epoch ms; null if it isn't known. */
  postedAt: number | null;
};

/** `GET /api/calls/mine`, which gives the newest first: those that are not over, the oldest first. */
export const readOpenCalls = (body: unknown): OwnCall[] =>
  readerOf(mine)(body)
    .calls.map(
      ({ symbol, source, submittedAt, fillPrice, entryPrice, targetPrice, stopLossType, ...stop }) => ({
        symbol,
        source,
        postedAt: submittedAt,
        entryPrice: fillPrice ?? entryPrice,
        targetPrice,
        stopLevel: stop.stopLevel ?? (stopLossType === 'HARD' ? stop.stopLoss : null),
      }),
    )
    .toReversed();

/** An alert, as far as a chart shows it. */
export type ChartedAlert = {
  id: number;
  name: string | null;
  logic: Logic | null;
  isActive: boolean;
  hasFired: boolean;
};

/** `GET /api/alerts?symbol=`. */
export const readChartedAlerts = (body: unknown): ChartedAlert[] =>
  readerOf(alerts)(body).alerts.map((alert) => ({
    id: alert.id,
    name: alert.name,
    logic: alert.logic_json,
    isActive: alert.active,
    hasFired: alert.last_triggered_at !== null,
  }));

/** `GET /api/alerts/:id/triggers` as marks, by the market's clock: those of this source of prices. */
export const readTriggerMarks =
  (name: string | null, source: string | null) =>
  (body: unknown): ChartMark[] =>
    readerOf(triggers)(body).triggers.flatMap((trigger): ChartMark[] => {
      const time = trigger.marketTime ?? trigger.timestamp;
      const isOther = trigger.source !== null && source !== null && trigger.source !== source;
      return time === null || isOther ? [] : [{ kind: 'trigger', time, text: name ?? 'An alert fired' }];
    });
