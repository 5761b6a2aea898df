import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useRef, useState, type RefObject } from 'react';
import { type LogicKind, operandsOf, SCAN_LOGIC, MAX_GROUPS } from '#subjects/conditions/rules/condition.ts';
import { MORE_CONDITION_FIELDS } from '#subjects/conditions/rules/conditionFields.ts';
import {
  blocksOf,
  type DraftBlock,
  type DraftCondition,
  logicOf,
  type TypedNumber,
  addToGroup,
  changeCondition,
  groupCount,
  moveInBlocks,
  newCondition,
  newGroup,
} from '#subjects/conditions/rules/draft.ts';
import { isSector, isYesNo, type Ref } from '#subjects/conditions/rules/operand.ts';
import type { FieldOption } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { Button } from '#ui/Button.tsx';
import { AddIndicatorDialog, type PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';
import { loadCatalogs, platformCatalog } from '#web/shared/indicators/catalog.ts';
import { CatalogProblem } from '#web/shared/indicators/CatalogProblem.tsx';
import './conditions.css';
import { ConditionRow, type Side, type WrongPlace, wrongPlace } from './ConditionRow.tsx';
import type { OfferedScan } from './OperandSelect.tsx';
import { pickedOperands } from './pickedOperands.ts';
import { SayInWords } from './phrases/SayInWords.tsx';
import { flushSync } from 'react-dom';

type ConditionListInput = {
  conditions: readonly DraftCondition[];
  /** What the conditions belong to. */
  kind: LogicKind;
  onChange(conditions: readonly DraftCondition[]): void;
  /** Holds the rows and the button that has the focus when no row is left. */
  frame: RefObject<HTMLElement | null>;
};

/** Finds what gets the focus after a change. */
function finderIn(frame: RefObject<HTMLElement | null>) {
  const inRow = (id: number | undefined, selector: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-condition="${id}"] ${selector}`);
  return {
    inRow,
    // At the end of the list the button is disabled and can't keep the focus: the one back has it then.
    moveButton: (id: number, by: -1 | 1) =>
      inRow(id, `[data-move="${by}"]:not([disabled])`) ?? inRow(id, '[data-move]:not([disabled])'),
    addButton: () => frame.current?.querySelector<HTMLElement>('[data-add]'),
  };
}

/** The changes of a list of conditions, each of which leaves the focus where the work goes on. */
function useConditionList({ conditions, kind, onChange, frame }: ConditionListInput) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { inRow, moveButton, addButton } = finderIn(frame);
  // Only once the changed list is drawn is there something to give the focus to.
  const edit = (next: readonly DraftCondition[], focus: () => HTMLElement | null | undefined) => {
    setRefusal(null);
    flushSync(() => onChange(next));
    focus()?.focus();
  };
  const refuse = (most: number, noun: string) => setRefusal(`${kind.noun} has at most ${most} ${noun}.`);
  const add = (added: DraftCondition, next = [...conditions, added]) =>
    conditions.length >= kind.maxConditions
      ? refuse(kind.maxConditions, 'conditions')
      : edit(next, () => inRow(added.id, 'select'));
  const without = (gone: (condition: DraftCondition) => boolean) => {
    const first = conditions.findIndex(gone);
    const rest = conditions.filter((condition) => !gone(condition));
    edit(rest, () => inRow(rest[first]?.id, '[data-remove]') ?? addButton());
  };
  return {
    /** Why nothing was added; null when something was. */
    refusal,
    change: (id: number, part: Partial<DraftCondition>): void =>
      onChange(conditions.map((one) => (one.id === id ? changeCondition(one, part) : one))),
    add: (): void => add(newCondition(conditions)),
    addGroup: (): void =>
      groupCount(conditions) >= MAX_GROUPS ? refuse(MAX_GROUPS, 'groups') : add(newGroup(conditions)),
    addTo(group: number): void {
      const added = newCondition(conditions);
      add(added, addToGroup(conditions, group, added));
    },
    move: (id: number, by: -1 | 1): void => edit(moveInBlocks(conditions, id, by), () => moveButton(id, by)),
    remove: (id: number): void => without((condition) => condition.id === id),
    removeGroup: (group: number): void => without((condition) => condition.group === group),
  };
}

type ConditionGroupProps = {
  /** Among the groups of the list, from 1. */
  number: number;
  /** Its conditions, as list items. */
  children: ReactNode;
  onAdd(): void;
  onRemove(): void;
};

/** A group of conditions of which one must hold. */
function ConditionGroup({ number, children, onAdd, onRemove }: ConditionGroupProps): ReactNode {
  const name = `group ${number}`;
  return (
    <li className="condition-group stack gap-2" aria-label={`Any of ${name}`}>
      <div className="cluster align-baseline strong">
        <span>Any of</span>
        <span className="muted small regular">one of these is enough</span>
      </div>
      <ol className="gap-2 self-stretch stack" aria-label={`Conditions of ${name}, any of which must hold`}>
        {children}
      </ol>
      <div className="cluster">
        <Button onClick={onAdd} aria-label={`Add condition to ${name}`}>
          <PlusIcon size={15} aria-hidden />
          Add condition
        </Button>
        <Button variant="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove group
        </Button>
      </div>
    </li>
  );
}

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
  /** Indicators were chosen in the picker or in words: their values may have to be asked for. */
  onIndicatorsPicked?(indicators: readonly Ref[]): void;
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
  const { conditions, kind = SCAN_LOGIC, onChange, onIndicatorsPicked } = props;
  const [picking, setPicking] = useState<{ id: number; side: Side } | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const list = useConditionList({ conditions, kind, onChange, frame });
  const catalog = platformCatalog.value?.catalog ?? null;
  useEffect(() => void loadCatalogs(), []);

  const pick = (result: PickerResult) => {
    const [operand] = pickedOperands(result, catalog);
    if (!operand || !picking) return;
    list.change(picking.id, { [picking.side]: operand });
    if (operand.type !== 'field') onIndicatorsPicked?.([operand]);
  };
  const use = (next: readonly DraftCondition[]) => {
    onChange(next);
    const read = operandsOf(logicOf(next)).filter((operand) => operand.type !== 'field');
    if (read.length > 0) onIndicatorsPicked?.(read);
  };
  return (
    <div className="align-start self-stretch stack" ref={frame}>
      <CatalogProblem />
      <SayInWords conditions={conditions} kind={kind} stocks={props.stocks} frame={frame} onUse={use} />
      <ol className="gap-2 self-stretch stack" aria-label="Conditions, all of which must hold">
        <Blocks {...props} list={list} onPick={(id, side) => setPicking({ id, side })} />
      </ol>
      <AddButtons {...list} />
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

function AddButtons({ add, addGroup }: ReturnType<typeof useConditionList>): ReactNode {
  return (
    <div className="row">
      <Button data-add onClick={add}>
        <PlusIcon size={15} aria-hidden />
        Add condition
      </Button>
      <Button onClick={addGroup}>
        <PlusIcon size={15} aria-hidden />
        Add group (any of)
      </Button>
    </div>
  );
}

type BlocksProps = ConditionEditorProps & {
  list: ReturnType<typeof useConditionList>;
  onPick(id: number, side: Side): void;
};

/** The conditions that stand alone, and the groups, in their order. */
function Blocks(props: BlocksProps): ReactNode {
  const { list } = props;
  const blocks = blocksOf(props.conditions);
  const wrong = wrongPlace(props.wrong ?? null, blocks);
  const groups = blocks.flatMap(({ group }) => group ?? []);
  return blocks.map((block, at) => {
    const { group } = block;
    const isAlone = group === null;
    const rows = (
      <Rows
        key={isAlone ? block.conditions[0]?.id : undefined}
        {...props}
        wrong={wrong}
        block={block}
        canMoveUp={isAlone && at > 0}
        canMoveDown={isAlone && at < blocks.length - 1}
      />
    );
    if (isAlone) return rows;
    return (
      <ConditionGroup
        key={`group ${group}`}
        number={groups.indexOf(group) + 1}
        onAdd={() => list.addTo(group)}
        onRemove={() => list.removeGroup(group)}
      >
        {rows}
      </ConditionGroup>
    );
  });
}

type RowsProps = Omit<BlocksProps, 'wrong'> & {
  block: DraftBlock;
  wrong: WrongPlace | null;
  /** Of a condition that stands alone, past its neighbours. */
  canMoveUp: boolean;
  canMoveDown: boolean;
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
