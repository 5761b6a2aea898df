import type { ChartMark } from '../../../../../../market/bars/rules/chart.ts';
import type { ChartedCall } from '../../../../../../market/bars/rules/stockExtras.ts';
import type { Logic } from '../../../../../conditions/rules/condition.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../../web/api/client.ts';
import { readLogic } from '../../../../../conditions/web/shared/readConditions.ts';

/** An own call that is not over. */
export type OwnCall = ChartedCall & { symbol: string; source: string | null };

const readOpenStatus = readChoice(['pending', 'open'] as const);

function readCall(value: unknown): OwnCall | null {
  const given = readRecord(value);
  const symbol = readText(given['symbol']);
  if (symbol === null || readOpenStatus(given['status']) === null) return null;
  const isHard = readText(given['stopLossType']) === 'HARD';
  return {
    symbol,
    source: readText(given['source']),
    entryPrice: readNumber(given['fillPrice']) ?? readNumber(given['entryPrice']),
    targetPrice: readNumber(given['targetPrice']),
    stopLevel: readNumber(given['stopLevel']) ?? (isHard ? readNumber(given['stopLoss']) : null),
  };
}

/** `GET /api/calls/mine`, which gives the newest first: those that are not over, the oldest first. */
export const readOpenCalls = (body: unknown): OwnCall[] =>
  readList(readAnswer(body)['calls'], readCall).toReversed();

/** An alert, as far as a chart shows it. */
export type ChartedAlert = {
  id: number;
  name: string | null;
  logic: Logic | null;
  isActive: boolean;
  hasFired: boolean;
};

function readAlert(value: unknown): ChartedAlert | null {
  const given = readRecord(value);
  const id = readCount(given['id']);
  if (id === null) return null;
  return {
    id,
    name: readText(given['name']) || null,
    logic: readLogic(given['logic_json']),
    isActive: readBoolean(given['active']) ?? true,
    hasFired: readTime(given['last_triggered_at']) !== null,
  };
}

/** `GET /api/alerts?symbol=`. */
export const readChartedAlerts = (body: unknown): ChartedAlert[] =>
  readList(readAnswer(body)['alerts'], readAlert);

/** `GET /api/alerts/:id/triggers` as marks, by the market's clock: those of this source of prices. */
export const readTriggerMarks =
  (name: string | null, source: string | null) =>
  (body: unknown): ChartMark[] =>
    readList(readAnswer(body)['triggers'], (value): ChartMark | null => {
      const given = readRecord(value);
      const time = readTime(given['marketTime']) ?? readTime(given['timestamp']);
      const from = readText(given['source']);
      if (time === null || (from !== null && source !== null && from !== source)) return null;
      return { kind: 'trigger', time, text: name ?? 'An alert fired' };
    });
