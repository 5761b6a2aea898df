import { useMemo } from 'react';
import { ignoresStatus } from '#web/live/market.ts';
import type { Column } from '#market/scanners/rules/columns.ts';
import { hasColumn, operandColumn } from '#subjects/scanners/rules/shownColumns.ts';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';
import type { ReadOperand } from '#subjects/conditions/rules/condition.ts';
import { operandId, operandText } from '#subjects/conditions/rules/operand.ts';

/** A column for each operand that differs between stocks, named by the catalog once that is loaded. Give the same array while nothing changes. */
export function useOperandColumns(operands: readonly ReadOperand[]): readonly Column[] {
  const catalog = platformCatalog.value?.catalog ?? null;
  return useMemo(
    () =>
      operands
        .filter(hasColumn)
        .map((operand) =>
          operandColumn(operandId(operand), operandText(operand, catalog), operand, ignoresStatus),
        ),
    [operands, catalog],
  );
}
