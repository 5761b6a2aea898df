import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useRef, useState, type RefObject, lazy, Suspense, useId } from 'react';
import { type LogicKind, operandsOf, SCAN_LOGIC, MAX_GROUPS, ALERT_LOGIC } from '../../rules/condition.ts';
import { MORE_CONDITION_FIELDS } from '../../rules/conditionFields.ts';
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
} from '../../rules/draft.ts';
import { isSector, isYesNo, type Ref } from '../../rules/operand.ts';
import type { FieldOption } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { AddIndicatorDialog, type PickerResult } from '#web/shared/indicators/AddIndicatorDialog.tsx';
import { loadCatalogs, platformCatalog } from '#web/shared/indicators/catalog.ts';
import { CatalogProblem } from '#web/shared/indicators/CatalogProblem.tsx';
import './conditions.css';
import { ConditionRow, type Side, type WrongPlace, wrongPlace, type OfferedScan } from './ConditionRow.tsx';
import { pickedOperands } from './operands.ts';
import { flushSync } from 'react-dom';
import { withStyles } from '#web/shared/lateStyles.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import type { ReadingProps } from './Reading.tsx';

const loadReading = () => withStyles(import('./Reading.tsx')).then((code) => ({ default: code.Reading }));

/** Equal to `MAX_PHRASE`, which loads later with the grammar. */
const MAX_LENGTH = 300;

const EXAMPLES = {
  scan: 'e.g. above its 20-day average, twice its usual volume, gapping over 3%',
  alert: 'e.g. falls below its 50-day average on twice its usual volume',
} as const;

export const UNUSED_WORDS = 'Your words are not conditions yet. Use what was read from them, or clear them.';

type PhraseFieldProps = {
  conditions: readonly DraftCondition[];
  kind: LogicKind;
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** The element that contains the rows of the conditions. */
  frame: RefObject<HTMLElement | null>;
  boxRef: RefObject<HTMLInputElement | null> | undefined;
  /** Called with the new list and the phrase after conditions are confirmed. */
  onUse(conditions: readonly DraftCondition[], words: string): void;
  /** Whether saving was refused because the words are not used. */
  isWrong: boolean;
  onUnused: ConditionEditorProps['onUnusedWords'];
};

/** Counts readings, because a new number remounts the result. */
function usePhrase() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<{ text: string; number: number } | null>(null);
  const [announced, setAnnounced] = useState('');
  return {
    text,
    setText,
    asked,
    announced,
    setAnnounced,
    read(): void {
      if (text.trim() !== '') setAsked({ text, number: (asked?.number ?? 0) + 1 });
    },
    close(): void {
      setAsked(null);
      setText('');
      setAnnounced('');
    },
  };
}
type Phrase = ReturnType<typeof usePhrase>;

/** Reads conditions from words. The proposals are shown below and have no effect until the user confirms them. */
function PhraseField(props: PhraseFieldProps): ReactNode {
  const { frame, onUse } = props;
  const ownBox = useRef<HTMLInputElement>(null);
  const box = props.boxRef ?? ownBox;
  const phrase = usePhrase();
  const { onUnused } = props;
  const isUnused = phrase.text.trim() !== '' || phrase.asked !== null;
  useEffect(() => onUnused?.(isUnused), [isUnused, onUnused]);
  const use = (next: readonly DraftCondition[], first: number) => {
    flushSync(() => {
      onUse(next, phrase.asked?.text ?? '');
      phrase.close();
    });
    frame.current?.querySelector<HTMLElement>(`[data-condition="${first}"] select`)?.focus();
  };
  const discard = () => {
    phrase.close();
    box.current?.focus();
  };
  return (
    <div className="gap-1 self-stretch stack">
      <Box box={box} kind={props.kind} phrase={phrase} isWrong={props.isWrong} />
      {props.isWrong && <FormError>{UNUSED_WORDS}</FormError>}
      <p className="visually-hidden" role="status">
        {phrase.announced}
      </p>
      {phrase.asked && (
        <Result
          key={phrase.asked.number}
          {...props}
          text={phrase.asked.text}
          onUse={use}
          onRead={phrase.setAnnounced}
          onClose={discard}
        />
      )}
    </div>
  );
}

type BoxProps = Pick<PhraseFieldProps, 'kind' | 'isWrong'> & {
  box: RefObject<HTMLInputElement | null>;
  phrase: Phrase;
};

function Box({ box, kind, isWrong, phrase: { text, setText, read } }: BoxProps): ReactNode {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>Say it in words</label>
      <div className="cluster">
        <input
          id={id}
          ref={box}
          className="input grow min-w-0"
          value={text}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          aria-invalid={isWrong || undefined}
          enterKeyHint="go"
          placeholder={kind === ALERT_LOGIC ? EXAMPLES.alert : EXAMPLES.scan}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            read();
          }}
        />
        <Button onClick={read} disabled={text.trim() === ''}>
          Read
        </Button>
      </div>
    </>
  );
}

function Result(props: ReadingProps): ReactNode {
  // `lazy` caches a failure, so a retry needs a new one.
  const [Reading, setReading] = useState(() => lazy(loadReading));
  return (
    <RetryBoundary
      sentence="This feature could not be loaded. Check your connection and try again."
      onRetry={() => setReading(() => lazy(loadReading))}
    >
      <Suspense fallback={<p className="muted">Reading…</p>}>
        <Reading {...props} />
      </Suspense>
    </RetryBoundary>
  );
}

type ConditionListInput = {
  conditions: readonly DraftCondition[];
  kind: LogicKind;
  onChange(conditions: readonly DraftCondition[]): void;
  /** The element that contains the rows, and the button that gets the focus when no row is left. */
  frame: RefObject<HTMLElement | null>;
};

function finderIn(frame: RefObject<HTMLElement | null>) {
  const inRow = (id: number | undefined, selector: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-condition="${id}"] ${selector}`);
  return {
    inRow,
    // At the end of the list this button is disabled, so the other one gets the focus.
    moveButton: (id: number, by: -1 | 1) =>
      inRow(id, `[data-move="${by}"]:not([disabled])`) ?? inRow(id, '[data-move]:not([disabled])'),
    addButton: () => frame.current?.querySelector<HTMLElement>('[data-add]'),
  };
}

function useConditionList({ conditions, kind, onChange, frame }: ConditionListInput) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { inRow, moveButton, addButton } = finderIn(frame);
  // Moves the focus only after the changed list was drawn.
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
    /** Why nothing was added; null on success. */
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
  /** Number of the group in the list, from 1. */
  number: number;
  /** The group's conditions, as list items. */
  children: ReactNode;
  onAdd(): void;
  onRemove(): void;
};

/** A group of conditions of which at least one must hold. */
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
   * Set if changes apply immediately, because a number that is being typed is not a change yet. Called with that
   * number, and with null once it is applied or discarded.
   */
  onTyping?(typing: TypedNumber | null): void;
  /** The default is a scan. An alert is for one stock, so it offers no sector. */
  kind?: LogicKind;
  /** Indicators offered on both sides, in addition to those already used. */
  indicators?: readonly Ref[];
  /** The user's saved scans, null until loaded; omitted where scans cannot be used, as in a scan. */
  scans?: readonly OfferedScan[] | null | undefined;
  /** Market in which the matches of each condition are counted; omit to count none. */
  stocks?: ReadonlyMap<string, Stock>;
  /** True after the first attempt to save: marks missing parts. */
  showsProblems: boolean;
  /** The refused field, for example 'logic.conditions[1].rhs.tf'; null for none. */
  wrong?: string | null;
  /** The box for words. */
  wordsRef?: RefObject<HTMLInputElement | null>;
  /** Called with a phrase after its conditions are used. */
  onWords?: ((words: string) => void) | undefined;
  /** Called when the box begins or ends to have words that are not used. Must be stable. */
  onUnusedWords?: (isUnused: boolean) => void;
  /** Called because the values of chosen indicators and 52-week prices may need to be requested. */
  onIndicatorsPicked?(indicators: readonly Ref[]): void;
};

const NO_INDICATORS: readonly Ref[] = [];
/** Only scans compare sectors. The right side is never a sector or a yes-or-no value. */
const ALERT_FIELDS = MORE_CONDITION_FIELDS.filter(({ key }) => !isSector({ type: 'field', key }));
const RIGHT_FIELDS = ALERT_FIELDS.filter(({ key }) => !isYesNo({ type: 'field', key }));

function fieldsFor(side: Side | undefined, kind: LogicKind): readonly FieldOption[] {
  if (side === 'rhs') return RIGHT_FIELDS;
  return kind === SCAN_LOGIC ? MORE_CONDITION_FIELDS : ALERT_FIELDS;
}

/**
 * Edits conditions that must all hold, and groups in which one condition must hold. The caller owns the list
 * and saves it (see `draftOf`, `logicOf` and `conditionsRefusal` in
 * `src/subjects/conditions/rules/draft.ts`).
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
  const use = (next: readonly DraftCondition[], words: string) => {
    onChange(next);
    props.onWords?.(words);
    const read = operandsOf(logicOf(next)).filter((operand) => operand.type !== 'field');
    if (read.length > 0) onIndicatorsPicked?.(read);
  };
  return (
    <div className="align-start self-stretch stack" ref={frame}>
      <CatalogProblem />
      <PhraseField
        conditions={conditions}
        kind={kind}
        stocks={props.stocks}
        frame={frame}
        boxRef={props.wordsRef}
        isWrong={props.wrong === 'words'}
        onUnused={props.onUnusedWords}
        onUse={use}
      />
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
  /** Whether the condition can move past the one before it. */
  canMoveUp: boolean;
  canMoveDown: boolean;
};

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
      onChange={(part) => {
        list.change(condition.id, part);
        const chosen = [part.lhs, part.rhs].filter((side) => side?.type === 'htf');
        if (chosen.length > 0) props.onIndicatorsPicked?.(chosen);
      }}
      onTyping={onTyping && ((value) => onTyping(value === null ? null : { condition: condition.id, value }))}
      onPick={(side) => onPick(condition.id, side)}
      onMove={(by) => list.move(condition.id, by)}
      onRemove={() => list.remove(condition.id)}
    />
  ));
}
