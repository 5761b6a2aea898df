import { useMemo } from 'react';
import type { Column } from '../../../../src/domain/scanners/columns.ts';
import { hasColumn, operandColumn } from '../../../../src/domain/scanners/operandColumn.ts';
import { platformCatalog } from '../../../shared/indicators/catalog.ts';
import type { ReadOperand } from '../../../../src/domain/conditions/condition.ts';
import { operandId, operandText } from '../../../../src/domain/conditions/operandText.ts';

/** A column for each operand that differs between stocks, named by the catalog once that is loaded. Give the same array while nothing changes. */
export function useOperandColumns(operands: readonly ReadOperand[]): readonly Column[] {
  const catalog = platformCatalog.value?.catalog ?? null;
  return useMemo(
    () =>
      operands
        .filter(hasColumn)
        .map((operand) => operandColumn(operandId(operand), operandText(operand, catalog), operand)),
    [operands, catalog],
  );
}
