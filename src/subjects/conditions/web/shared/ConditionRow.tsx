import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useMemo, useId, useRef } from 'react';
import {
  askedOf,
  asking,
  askingScan,
  type DraftCondition,
  draftRefusal,
  OPERATOR_LABELS,
  scanAskedOf,
  TEXT_OPERATOR_LABELS,
  type DraftBlock,
  logicOf,
  NO_SCAN,
} from '../../rules/draft.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { IconButton } from '#ui/Button.tsx';
import { Chips, NativeSelect } from '#ui/Field.tsx';
import {
  isSector,
  MAX_TEXTS,
  operandText,
  type Ref,
  isScan,
  isYesNo,
  type Operand,
  operandId,
  type ScanRef,
  YEAR_REFS,
} from '../../rules/operand.ts';
import { SCAN_QUESTIONS } from '../../rules/scanFields.ts';
import { QuantityField } from './QuantityField.tsx';
import { operandsOf } from '../../rules/condition.ts';
import { formatNumber } from '#texts/format.ts';
import { hasValues, useMatches, useArriving } from './operands.ts';
import { compareNames } from '#lib/unicode.ts';
import { CONDITION_FIELDS } from '../../rules/conditionFields.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';

type ScanNoteProps = {
  value: Operand | null;
  /** The user's saved scans; null until loaded. */
  scans: readonly OfferedScan[] | null;
};

/** A hint if the saved scan of a condition was deleted, or if the user has none. */
function ScanNote({ value, scans }: ScanNoteProps): ReactNode {
  if (value?.type !== 'scan' || scans === null) return null;
  const isChosen = value.id !== NO_SCAN.id;
  if (isChosen && scans.some(({ id }) => id === value.id)) return null;
  return (
    <>
      {isChosen && (
        <p className="field-error">Your scan “{value.name}” was deleted. Choose something else.</p>
      )}
      {scans.length === 0 && (
        <p className="field-help">
          You have no saved scans. Create one in the <a href={`#${SCANNERS.custom.route}`}>Custom Scanner</a>{' '}
          and it will appear here.
        </p>
      )}
    </>
  );
}

export type OfferedScan = { id: number; name: string };

type OperandSelectProps = {
  label: string;
  value: Operand | null;
  /** Indicators that are offered in addition to the value itself. */
  indicators: readonly Ref[];
  /** The user's saved scans, null until loaded; omitted where scans cannot be used. */
  scans?: readonly OfferedScan[] | null | undefined;
  catalog: Catalog | null;
  /** Whether this is the right side, which may also be a number. */
  isRight: boolean;
  hasSectors: boolean;
  isWrong: boolean;
  onChoose(operand: Operand): void;
  onPick(): void;
};

const NONE = '';
const NUMBER = 'number';
const PICK = 'pick';

const NO_SCAN_ID = operandId(NO_SCAN);

const FIELDS: readonly Operand[] = [
  ...CONDITION_FIELDS.map(({ key }): Operand => ({ type: 'field', key })),
  ...YEAR_REFS,
];

const YEAR_IDS: ReadonlySet<string> = new Set(YEAR_REFS.map(operandId));

const idOf = (operand: Operand | null): string =>
  operand === null || operandId(operand) === NO_SCAN_ID
    ? NONE
    : operand.type === 'number'
      ? NUMBER
      : operandId(operand);

/** Fields to offer for a side; the current value is always among them. */
function fieldsOf({ value, isRight, hasSectors }: OperandSelectProps): readonly Operand[] {
  const isAsked = isYesNo(value) || isScan(value);
  return FIELDS.filter(
    (field) =>
      (!isSector(field) || hasSectors || isSector(value)) &&
      // Yes-or-no values are not offered on the right side, except in old data.
      (!(isYesNo(field) || isScan(field)) || !isRight || isAsked),
  );
}

function OperandSelect(props: OperandSelectProps): ReactNode {
  const { label, value, catalog, isRight, isWrong, onChoose, onPick } = props;
  const id = useId();
  const fields = fieldsOf(props);
  const scans = scansWithOwn(props.scans ?? [], value);
  const offered = withOwn(props.indicators, value);
  const choose = (key: string) => {
    if (key === PICK) return onPick();
    if (key === NUMBER) return onChoose({ type: 'number', value: Number.NaN });
    if (key === NO_SCAN_ID) return onChoose(NO_SCAN);
    const operand = [...fields, ...scans, ...offered].find((one) => operandId(one) === key);
    if (operand) onChoose(operand);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input select"
        value={idOf(value)}
        aria-invalid={isWrong || undefined}
        onChange={(event) => choose(event.target.value)}
      >
        {idOf(value) === NONE && <option value={NONE}>Select…</option>}
        {isRight && <option value={NUMBER}>Number</option>}
        <Group label="Fields" operands={fields} catalog={catalog} />
        {(scans.length > 0 || props.scans) && (
          <Group label="My scans" operands={scans} catalog={catalog}>
            {props.scans?.length === 0 && (
              <option value={NO_SCAN_ID}>A saved scan (you have none yet)…</option>
            )}
          </Group>
        )}
        {offered.length > 0 && <Group label="Indicators" operands={offered} catalog={catalog} />}
        <option value={PICK}>Add indicator…</option>
      </select>
    </div>
  );
}

type GroupProps = Pick<OperandSelectProps, 'label' | 'catalog'> & {
  operands: readonly Operand[];
  children?: ReactNode;
};

const Group = ({ label, operands, catalog, children }: GroupProps): ReactNode => (
  <optgroup label={label}>
    {operands.map((operand) => (
      <option key={operandId(operand)} value={operandId(operand)}>
        {operandText(operand, catalog)}
      </option>
    ))}
    {children}
  </optgroup>
);

/** Saved scans to offer, including the current value, which may be deleted. */
function scansWithOwn(scans: readonly OfferedScan[], value: Operand | null): ScanRef[] {
  const isOwn = value?.type === 'scan' && value.id !== NO_SCAN.id && scans.every(({ id }) => id !== value.id);
  const offered = scans.map(({ id, name }): ScanRef => ({ type: 'scan', id, name }));
  return isOwn ? [...offered, value] : offered;
}

/** Indicators to offer without duplicates, including the current value. */
function withOwn(indicators: readonly Ref[], value: Operand | null): Ref[] {
  const own = value !== null && (value.type === 'indicator' || value.type === 'htf') ? [value] : [];
  const refs = [...indicators, ...own].filter((ref) => !YEAR_IDS.has(operandId(ref)));
  return [...new Map(refs.map((ref) => [operandId(ref), ref])).values()];
}

type SectorFieldProps = {
  chosen: readonly string[];
  /** The market whose sectors are offered. */
  stocks: ReadonlyMap<string, Stock> | undefined;
  isWrong: boolean;
  onChoose(chosen: string[]): void;
};

export function sectorsOf(stocks: ReadonlyMap<string, Stock> | undefined): string[] {
  const found = new Set<string>();
  for (const { sector } of stocks?.values() ?? []) if (sector) found.add(sector);
  return [...found].sort(compareNames);
}

/** Chooses sectors of the market. Chosen ones are listed below and can be removed. */
function SectorField({ chosen, stocks, isWrong, onChoose }: SectorFieldProps): ReactNode {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const sectors = useMemo(() => sectorsOf(stocks), [stocks]);
  const offered = sectors.filter((sector) => !chosen.includes(sector));
  const isFull = chosen.length >= MAX_TEXTS;
  return (
    <div className="field condition-sectors">
      <label htmlFor={id}>Sectors</label>
      <select
        id={id}
        ref={select}
        className="input select"
        value=""
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => {
          if (target.value !== '' && !isFull) onChoose([...chosen, target.value]);
        }}
      >
        <option value="">{optionText(chosen.length, offered.length)}</option>
        {offered.map((sector) => (
          <option key={sector} value={sector}>
            {sector}
          </option>
        ))}
      </select>
      <Chips
        label="Chosen sectors"
        chips={chosen.map((sector) => ({ key: sector, label: sector }))}
        fallback={select}
        onRemove={(sector) => onChoose(chosen.filter((one) => one !== sector))}
      />
    </div>
  );
}

function optionText(chosen: number, offered: number): string {
  if (offered === 0) return chosen === 0 ? 'No sectors known yet' : 'All sectors chosen';
  return chosen === 0 ? 'Select sector' : 'Add another sector';
}

type MatchCountProps = {
  /** A complete condition. */
  condition: DraftCondition;
  stocks: ReadonlyMap<string, Stock>;
  catalog: Catalog | null;
};

/** The number of stocks that meet one condition, or which of its values have not arrived yet. */
function MatchCount({ condition, stocks, catalog }: MatchCountProps): ReactNode {
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
      {isCrossing && '. A crossing counts for one minute.'}
    </p>
  );
}

function countText(count: number, isArriving: boolean): string {
  const number = formatNumber(count, 0);
  if (isArriving) return `${number} so far`;
  return `${number} ${count === 1 ? 'stock meets' : 'stocks meet'} this condition`;
}

/** The condition and side that the server refused. */
export type WrongPlace = { id: number; side: Side };

/**
 * @param field for example 'logic.conditions[1].rhs.tf', 'logic.conditions[1].conditions[0].lhs'; null for none
 * @param blocks as they were sent
 */
export function wrongPlace(field: string | null, blocks: readonly DraftBlock[]): WrongPlace | null {
  const [, at = '', inGroup = '0', side] =
    /^logic\.conditions\[(\d{1,4})\](?:\.conditions\[(\d{1,4})\])?\.(lhs|rhs)\b/.exec(field ?? '') ?? [];
  const condition = blocks[Number(at)]?.conditions[Number(inGroup)];
  return condition && (side === 'lhs' || side === 'rhs') ? { id: condition.id, side } : null;
}

export type Side = 'lhs' | 'rhs';

type ConditionRowProps = {
  /** Position in the whole list, which is part of its accessible name. */
  index: number;
  canMoveUp: boolean;
  canMoveDown: boolean;
  condition: DraftCondition;
  /** Indicators that are offered in addition to those in the condition. */
  indicators: readonly Ref[];
  /** The user's saved scans, null until loaded; omitted where scans cannot be used. */
  scans?: readonly OfferedScan[] | null | undefined;
  catalog: Catalog | null;
  /** Market in which the matches are counted; undefined counts none. */
  stocks: ReadonlyMap<string, Stock> | undefined;
  hasSectors: boolean;
  /** True after the first attempt to save: marks missing parts. */
  showsProblems: boolean;
  /** The side of this condition that the server refused; null for none. */
  wrongSide: Side | null;
  onChange(part: Partial<DraftCondition>): void;
  /** Called with the number that is being typed, and with null once it is applied; see `QuantityField`. */
  onTyping?: ((value: number | null) => void) | undefined;
  onPick(side: Side): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
};

const YES_NO: readonly { id: 'yes' | 'no'; label: string }[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

export function ConditionRow(props: ConditionRowProps): ReactNode {
  const { condition, catalog, stocks, showsProblems } = props;
  const problem = draftRefusal(condition);
  const name = `Condition ${props.index + 1}`;
  return (
    <li className="box pad-2-3" aria-label={name} data-condition={condition.id}>
      <Comparison {...props} />
      <ScanNote value={condition.lhs} scans={props.scans ?? null} />
      <div className="cluster">
        {problem !== null && (
          <p className={showsProblems ? 'field-error' : 'field-help'}>{problem.message}</p>
        )}
        {problem === null && stocks && <MatchCount condition={condition} stocks={stocks} catalog={catalog} />}
        <Actions {...props} name={name} />
      </div>
    </li>
  );
}

function Comparison(props: ConditionRowProps): ReactNode {
  const { condition, showsProblems, wrongSide, onChange } = props;
  const isQuestion = askedOf(condition) !== null || scanAskedOf(condition) !== null;
  return (
    <div className={isQuestion ? 'condition-sides is-question' : 'condition-sides'}>
      <OperandSelect
        label="Value"
        value={condition.lhs}
        indicators={props.indicators}
        scans={props.scans}
        catalog={props.catalog}
        isRight={false}
        hasSectors={props.hasSectors}
        isWrong={wrongSide === 'lhs' || (showsProblems && condition.lhs === null)}
        onChoose={(operand) => {
          if (operand.type !== 'number' && operand.type !== 'text') onChange({ lhs: operand });
        }}
        onPick={() => props.onPick('lhs')}
      />
      <Answer {...props} />
    </div>
  );
}

function Answer(props: ConditionRowProps): ReactNode {
  const { condition, onChange } = props;
  const isWrong = props.wrongSide === 'rhs' || undefined;
  const asked = askedOf(condition);
  const scanAsked = scanAskedOf(condition);
  if (scanAsked !== null) {
    return (
      <NativeSelect
        label="The stock"
        value={scanAsked}
        options={SCAN_QUESTIONS}
        aria-invalid={isWrong}
        onChoose={(question) => onChange(askingScan(question))}
      />
    );
  }
  if (asked !== null) {
    return (
      <NativeSelect
        label="Answer"
        value={asked}
        options={YES_NO}
        aria-invalid={isWrong}
        onChoose={(answer) => onChange(asking(answer))}
      />
    );
  }
  return (
    <>
      <NativeSelect
        label="Comparison"
        value={condition.op}
        options={isSector(condition.lhs) ? TEXT_OPERATOR_LABELS : OPERATOR_LABELS}
        onChoose={(operator) => onChange({ op: operator })}
      />
      <RightSide {...props} />
    </>
  );
}

function RightSide(props: ConditionRowProps): ReactNode {
  const { condition, indicators, catalog, stocks, showsProblems, wrongSide, onChange, onPick } = props;
  const { lhs, rhs } = condition;
  const isMissing = showsProblems && draftRefusal(condition)?.field === 'rhs';
  if (isSector(lhs)) {
    return (
      <SectorField
        chosen={rhs?.type === 'text' ? rhs.values : []}
        stocks={stocks}
        isWrong={wrongSide === 'rhs' || isMissing}
        onChoose={(values) => onChange({ rhs: { type: 'text', values } })}
      />
    );
  }
  return (
    <>
      <OperandSelect
        label="Compared with"
        value={rhs}
        indicators={indicators}
        catalog={catalog}
        isRight
        hasSectors={false}
        isWrong={wrongSide === 'rhs' || (showsProblems && rhs === null)}
        onChoose={(operand) => onChange({ rhs: operand })}
        onPick={() => onPick('rhs')}
      />
      {rhs?.type === 'number' && (
        <QuantityField
          label="Number"
          value={rhs.value}
          isWrong={isMissing}
          onNumber={(value) => onChange({ rhs: { type: 'number', value } })}
          onTyping={props.onTyping}
        />
      )}
    </>
  );
}

type ActionsProps = Pick<ConditionRowProps, 'canMoveUp' | 'canMoveDown' | 'onMove' | 'onRemove'> & {
  name: string;
};

function Actions({ canMoveUp, canMoveDown, name, onMove, onRemove }: ActionsProps): ReactNode {
  return (
    <span className="cluster gap-0 push">
      <IconButton label={`Move ${name} up`} data-move="-1" disabled={!canMoveUp} onClick={() => onMove(-1)}>
        <ArrowUpIcon size={15} aria-hidden />
      </IconButton>
      <IconButton label={`Move ${name} down`} data-move="1" disabled={!canMoveDown} onClick={() => onMove(1)}>
        <ArrowDownIcon size={15} aria-hidden />
      </IconButton>
      <IconButton label={`Remove ${name}`} data-remove onClick={onRemove}>
        <XIcon size={15} aria-hidden />
      </IconButton>
    </span>
  );
}
