import { type ReactNode, useMemo } from 'react';
import { operandsOf } from '#subjects/conditions/rules/condition.ts';
import { type DraftCondition, logicOf } from '#subjects/conditions/rules/draft.ts';
import { operandText } from '#subjects/conditions/rules/operandText.ts';
import { formatNumber } from '#texts/format.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { hasValues, useMatches, useArriving } from './useMatches.ts';

type MatchCountProps = {
  /** A complete condition. */
  condition: DraftCondition;
  stocks: ReadonlyMap<string, Stock>;
  catalog: Catalog | null;
};

/** How many stocks meet one condition, so far or in all, or which of its values have not arrived yet. */
export function MatchCount({ condition, stocks, catalog }: MatchCountProps): ReactNode {
  const logic = useMemo(() => logicOf([condition]), [condition]);
  const operands = useMemo(() => operandsOf(logic), [logic]);
  const matches = useMatches(logic, stocks);
  const isArriving = useArriving(operands, stocks);
  const missing = stocks.size === 0 ? [] : operands.filter((operand) => !hasValues(operand, stocks));
  const isCrossing = condition.op === 'crosses_above' || condition.op === 'crosses_below';
  return (
    <p className="field-help">
      {missing.length > 0
        ? `${missing.map((operand) => operandText(operand, catalog)).join(', ')}: waiting for values`
        : countText(matches?.size ?? 0, isArriving)}
      {isCrossing && '. A crossing counts for a minute after it happened.'}
    </p>
  );
}

function countText(count: number, isArriving: boolean): string {
  const number = formatNumber(count, 0);
  if (isArriving) return `${number} so far`;
  return `${number} ${count === 1 ? 'stock meets' : 'stocks meet'} this alone`;
}
