import { useMemo } from 'react';
import type { Column } from '../../../../src/domain/scanners/columns.ts';
import { operandColumn } from '../../../../src/domain/scanners/shownColumns.ts';
import { platformCatalog } from '../../../shared/indicators/catalog.ts';
import type { Operand } from '../../../../src/domain/conditions/operand.ts';
import { operandId, operandText } from '../../../../src/domain/conditions/operandText.ts';

/** A column for each operand, named by the catalog once that is loaded. Give the same array while nothing changes. */
export function useOperandColumns(operands: readonly Operand[]): readonly Column[] {
  const catalog = platformCatalog.value?.catalog ?? null;
  return useMemo(
    () =>
      operands.map((operand) => operandColumn(operandId(operand), operandText(operand, catalog), operand)),
    [operands, catalog],
  );
}
