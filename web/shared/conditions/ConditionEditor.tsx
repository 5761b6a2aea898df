import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useState } from 'react';
import { type DraftCondition, moveCondition, newCondition } from '../../../src/domain/conditions/draft.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { Button } from '../../ui/Button.tsx';
import { AddIndicatorDialog } from '../indicators/AddIndicatorDialog.tsx';
import { loadCatalogs, platformCatalog } from '../indicators/catalog.ts';
import { CatalogProblem } from '../indicators/CatalogProblem.tsx';
import type { PickerResult } from '../indicators/pickerResult.ts';
import './ConditionEditor.css';
import { ConditionRow, type Side } from './ConditionRow.tsx';
import { pickedOperands } from './pickedOperands.ts';
import type { Ref } from '../../../src/domain/conditions/operand.ts';

type ConditionEditorProps = {
  conditions: readonly DraftCondition[];
  onChange(conditions: readonly DraftCondition[]): void;
  /** Indicators offered on both sides, besides those that a condition has already. */
  indicators?: readonly Ref[];
  /** The market in which the matches of each condition are counted; without it none are. */
  stocks?: ReadonlyMap<string, Stock>;
  /** Missing parts are marked: the user has tried to save. */
  showsProblems: boolean;
  /** The field that the server refused, e.g. 'logic.conditions[1].rhs.tf'; null when it refused none. */
  wrong?: string | null;
  /** An indicator was chosen in the picker: its values may have to be asked for. */
  onIndicatorPicked?(indicator: Ref): void;
};

const NO_INDICATORS: readonly Ref[] = [];

/** The side that a field of the saved logic names, if it names one of this condition. */
function wrongSide(field: string | null, index: number): Side | null {
  const [, at, side] = /^logic\.conditions\[(\d{1,4})\]\.(lhs|rhs)\b/.exec(field ?? '') ?? [];
  return Number(at) === index && (side === 'lhs' || side === 'rhs') ? side : null;
}

/**
 * Edits a list of conditions that must all hold: add, change, move, remove, and choose operands with the picker. The
 * list and its saving belong to the caller (see `draftOf`, `logicOf` and `conditionsRefusal` in
 * `src/domain/conditions/draft.ts`). Import it lazily: it brings Base UI along.
 */
export function ConditionEditor(props: ConditionEditorProps): ReactNode {
  const { conditions, onChange, indicators = NO_INDICATORS, onIndicatorPicked } = props;
  const [picking, setPicking] = useState<{ id: number; side: Side } | null>(null);
  const catalog = platformCatalog.value?.catalog ?? null;
  useEffect(() => void loadCatalogs(), []);

  const change = (id: number, part: Partial<DraftCondition>) =>
    onChange(conditions.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const pick = (result: PickerResult) => {
    const [operand] = pickedOperands(result, catalog);
    if (!operand || !picking) return;
    change(picking.id, { [picking.side]: operand });
    if (operand.type !== 'field') onIndicatorPicked?.(operand);
  };

  return (
    <div className="condition-editor">
      <CatalogProblem />
      <ol className="condition-list" aria-label="Conditions, all of which must hold">
        {conditions.map((condition, index) => (
          <ConditionRow
            key={condition.id}
            index={index}
            count={conditions.length}
            condition={condition}
            indicators={indicators}
            catalog={catalog}
            stocks={props.stocks}
            showsProblems={props.showsProblems}
            wrongSide={wrongSide(props.wrong ?? null, index)}
            onChange={(part) => change(condition.id, part)}
            onPick={(side) => setPicking({ id: condition.id, side })}
            onMove={(by) => onChange(moveCondition(conditions, index, by))}
            onRemove={() => onChange(conditions.filter(({ id }) => id !== condition.id))}
          />
        ))}
      </ol>
      <Button onClick={() => onChange([...conditions, newCondition(conditions)])}>
        <PlusIcon size={15} aria-hidden />
        Add condition
      </Button>
      <AddIndicatorDialog open={picking !== null} onClose={() => setPicking(null)} onAdd={pick} />
    </div>
  );
}
