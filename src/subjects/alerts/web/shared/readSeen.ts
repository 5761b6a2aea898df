import type { Evaluation } from '../../rules/evaluation.ts';
import type { SeenCondition, SeenSide } from '../../rules/trigger.ts';
import { type Operator, OPERATORS } from '../../../conditions/rules/condition.ts';
import {
  readBoolean,
  readChoice,
  readIsoTime,
  readList,
  readNumber,
  readRecord,
  readText,
} from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';

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
