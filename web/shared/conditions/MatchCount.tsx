import { type ReactNode, useMemo } from 'react';
import { type DraftCondition, logicOf } from '../../../src/domain/conditions/draft.ts';
import { formatNumber } from '../../../src/domain/format.ts';
import type { Catalog } from '../../../src/domain/indicators/types.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { hasValues } from './hasValues.ts';
import { useMatches } from './useMatches.ts';
import { operandText } from '../../../src/domain/conditions/operandText.ts';

type MatchCountProps = {
  /** A complete condition. */
  condition: DraftCondition;
  stocks: ReadonlyMap<string, Stock>;
  catalog: Catalog | null;
};

/** How many stocks meet one condition, or which of its values have not arrived yet. */
export function MatchCount({ condition, stocks, catalog }: MatchCountProps): ReactNode {
  const logic = useMemo(() => logicOf([condition]), [condition]);
  const matches = useMatches(logic, stocks);
  const missing = [condition.lhs, condition.rhs].flatMap((operand) =>
    operand !== null && stocks.size > 0 && !hasValues(operand, stocks) ? operandText(operand, catalog) : [],
  );
  const isCrossing = condition.op === 'crosses_above' || condition.op === 'crosses_below';
  return (
    <p className="field-help">
      {missing.length > 0
        ? `${missing.join(', ')}: waiting for values`
        : `${formatNumber(matches?.size ?? 0, 0)} ${matches?.size === 1 ? 'stock meets' : 'stocks meet'} this alone`}
      {isCrossing && '. A crossing counts for a minute after it happened.'}
    </p>
  );
}
