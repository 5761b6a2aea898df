import type { Evaluation } from '../../../src/domain/alerts/evaluation.ts';
import type { SeenCondition, SeenSide } from '../../../src/domain/alerts/trigger.ts';
import { type Operator, OPERATORS } from '../../../src/domain/conditions/condition.ts';
import {
  readBoolean,
  readChoice,
  readIsoTime,
  readList,
  readNumber,
  readRecord,
  readText,
} from '../../../src/lib/read.ts';
import { readAnswer } from '../api/client.ts';

const readOperator = readChoice<Operator>(OPERATORS);

function readSide(value: unknown): SeenSide {
  const { text, value: number, before } = readRecord(value);
  const side = { text: readText(text) ?? '', value: readNumber(number) };
  return before === undefined ? side : { ...side, before: readNumber(before) };
}

function readSeenCondition(value: unknown): SeenCondition | null {
  const { left, op, right, holds } = readRecord(value);
  const operator = readOperator(op);
  return (
    operator && { left: readSide(left), op: operator, right: readSide(right), holds: readBoolean(holds) }
  );
}

/** What conditions saw, in their order. */
export const readSeenConditions = (value: unknown): SeenCondition[] => readList(value, readSeenCondition);

/** An evaluation as answers carry it: its time is ISO 8601. */
export type EvaluationView = Omit<Evaluation, 'at'> & { at: string | null };

/** GET /alerts/:id/evaluation. */
export function readEvaluation(body: unknown): EvaluationView {
  const { at, notEvaluated, conditions, holds } = readAnswer(body);
  return {
    at: readIsoTime(at),
    notEvaluated: readText(notEvaluated) || null,
    conditions: readSeenConditions(conditions),
    holds: readBoolean(holds),
  };
}
