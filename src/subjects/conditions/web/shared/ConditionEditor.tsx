import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type LogicKind, SCAN_LOGIC } from '../../rules/condition.ts';
import { MORE_CONDITION_FIELDS } from '../../rules/conditionFields.ts';
import { blocksOf, type DraftBlock, type DraftCondition, type TypedNumber } from '../../rules/draft.ts';
import { isSector, isYesNo, type Ref } from '../../rules/operand.ts';
import type { FieldOption } from '../../../../market/indicators/rules/types.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { AddIndicatorDialog } from '../../../indicators/web/shared/AddIndicatorDialog.tsx';
import { loadCatalogs, platformCatalog } from '../../../indicators/web/shared/catalog.ts';
import { CatalogProblem } from '../../../indicators/web/shared/CatalogProblem.tsx';
import type { PickerResult } from '../../../indicators/web/shared/pickerResult.ts';
import './ConditionEditor.css';
import { ConditionGroup } from './ConditionGroup.tsx';
import { ConditionRow, type Side } from './ConditionRow.tsx';
import type { OfferedScan } from './OperandSelect.tsx';
import { pickedOperands } from './pickedOperands.ts';
import { useConditionList } from './useConditionList.ts';
import { type WrongPlace, wrongPlace } from './wrongPlace.ts';

type ConditionEditorProps = {
  conditions: readonly DraftCondition[];
  onChange(conditions: readonly DraftCondition[]): void;
  /**
   * Given where the conditions are live as soon as they are changed: a number is no change while it is under the cursor.
   * Called with that number, and with null once it is taken or given up.
   */
  onTyping?(typing: TypedNumber | null): void;
  /** What the conditions belong to, a scan when left out. An alert is of one stock, so it offers no sector. */
  kind?: LogicKind;
  /** Indicators offered on both sides, besides those that a condition has already. */
  indicators?: readonly Ref[];
  /** The user's saved scans, null until they are loaded; left out where none may stand, as in a scan. */
  scans?: readonly OfferedScan[] | null | undefined;
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
/** Only scans compare sectors, and nothing is compared with a sector or with a yes or no. */
const ALERT_FIELDS = MORE_CONDITION_FIELDS.filter(({ key }) => !isSector({ type: 'field', key }));
const RIGHT_FIELDS = ALERT_FIELDS.filter(({ key }) => !isYesNo({ type: 'field', key }));

function fieldsFor(side: Side | undefined, kind: LogicKind): readonly FieldOption[] {
  if (side === 'rhs') return RIGHT_FIELDS;
  return kind === SCAN_LOGIC ? MORE_CONDITION_FIELDS : ALERT_FIELDS;
}

/**
 * Edits conditions that must all hold, and groups of which one condition must: add, change, move, remove, and choose
 * operands with the picker. The list and its saving belong to the caller (see `draftOf`, `logicOf` and
 * `conditionsRefusal` in `src/subjects/conditions/rules/draft.ts`). Import it lazily: it brings Base UI along.
 */
export function ConditionEditor(props: ConditionEditorProps): ReactNode {
  const { conditions, kind = SCAN_LOGIC, onChange, onIndicatorPicked } = props;
  const [picking, setPicking] = useState<{ id: number; side: Side } | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const list = useConditionList({ conditions, kind, onChange, frame });
  const catalog = platformCatalog.value?.catalog ?? null;
  useEffect(() => void loadCatalogs(), []);

  const pick = (result: PickerResult) => {
    const [operand] = pickedOperands(result, catalog);
    if (!operand || !picking) return;
    list.change(picking.id, { [picking.side]: operand });
    if (operand.type !== 'field') onIndicatorPicked?.(operand);
  };
  const blocks = blocksOf(conditions);
  const wrong = wrongPlace(props.wrong ?? null, blocks);
  const rows = { ...props, list, wrong, onPick: (id: number, side: Side) => setPicking({ id, side }) };
  const groups = blocks.flatMap(({ group }) => group ?? []);

  return (
    <div className="condition-editor" ref={frame}>
      <CatalogProblem />
      <ol className="condition-list" aria-label="Conditions, all of which must hold">
        {blocks.map((block, at) => {
          const isAlone = block.group === null;
          const own = (
            <Rows
              key={isAlone ? block.conditions[0]?.id : undefined}
              {...rows}
              block={block}
              canMoveUp={isAlone && at > 0}
              canMoveDown={isAlone && at < blocks.length - 1}
            />
          );
          const { group } = block;
          if (group === null) return own;
          return (
            <ConditionGroup
              key={`group ${group}`}
              number={groups.indexOf(group) + 1}
              onAdd={() => list.addTo(group)}
              onRemove={() => list.removeGroup(group)}
            >
              {own}
            </ConditionGroup>
          );
        })}
      </ol>
      <div className="condition-adders">
        <Button data-add onClick={list.add}>
          <PlusIcon size={15} aria-hidden />
          Add condition
        </Button>
        <Button onClick={list.addGroup}>
          <PlusIcon size={15} aria-hidden />
          Add group (any of)
        </Button>
      </div>
      <p className="field-error" role="status">
        {list.refusal}
      </p>
      <AddIndicatorDialog
        open={picking !== null}
        moreFields={fieldsFor(picking?.side, kind)}
        onClose={() => setPicking(null)}
        onAdd={pick}
      />
    </div>
  );
}

type RowsProps = Omit<ConditionEditorProps, 'wrong'> & {
  block: DraftBlock;
  list: ReturnType<typeof useConditionList>;
  wrong: WrongPlace | null;
  /** Of a condition that stands alone, past its neighbours. */
  canMoveUp: boolean;
  canMoveDown: boolean;
  onPick(id: number, side: Side): void;
};

/** The rows of a condition that stands alone or of those in one group. */
function Rows(props: RowsProps): ReactNode {
  const {
    block,
    conditions,
    kind = SCAN_LOGIC,
    list,
    wrong,
    stocks,
    showsProblems,
    onPick,
    onTyping,
  } = props;
  const { indicators = NO_INDICATORS } = props;
  const catalog = platformCatalog.value?.catalog ?? null;
  const isGroup = block.group !== null;
  return block.conditions.map((condition, index) => (
    <ConditionRow
      key={condition.id}
      index={conditions.indexOf(condition)}
      canMoveUp={isGroup ? index > 0 : props.canMoveUp}
      canMoveDown={isGroup ? index < block.conditions.length - 1 : props.canMoveDown}
      condition={condition}
      indicators={indicators}
      scans={props.scans}
      catalog={catalog}
      stocks={stocks}
      hasSectors={kind === SCAN_LOGIC}
      showsProblems={showsProblems}
      wrongSide={wrong?.id === condition.id ? wrong.side : null}
      onChange={(part) => list.change(condition.id, part)}
      onTyping={onTyping && ((value) => onTyping(value === null ? null : { condition: condition.id, value }))}
      onPick={(side) => onPick(condition.id, side)}
      onMove={(by) => list.move(condition.id, by)}
      onRemove={() => list.remove(condition.id)}
    />
  ));
}
