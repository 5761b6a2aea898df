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
} from '#subjects/conditions/rules/draft.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { IconButton } from '#ui/Button.tsx';
import { Chips, NativeSelect } from '#ui/Field.tsx';
import { type OfferedScan, OperandSelect, ScanNote } from './OperandSelect.tsx';
import { isSector, MAX_TEXTS, operandText, type Ref } from '#subjects/conditions/rules/operand.ts';
import { SCAN_QUESTIONS } from '#subjects/conditions/rules/scanFields.ts';
import { QuantityField } from './QuantityField.tsx';
import { operandsOf } from '#subjects/conditions/rules/condition.ts';
import { formatNumber } from '#texts/format.ts';
import { hasValues, useMatches, useArriving } from './useMatches.ts';
import { compareNames } from '#lib/text.ts';

type SectorFieldProps = {
  chosen: readonly string[];
  /** The market whose sectors are offered. */
  stocks: ReadonlyMap<string, Stock> | undefined;
  isWrong: boolean;
  onChoose(chosen: string[]): void;
};

function sectorsOf(stocks: ReadonlyMap<string, Stock> | undefined): string[] {
  const found = new Set<string>();
  for (const { sector } of stocks?.values() ?? []) if (sector) found.add(sector);
  return [...found].sort(compareNames);
}

/** Chooses one or several of the sectors in the market; the chosen ones are listed below and can be removed again. */
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

/** How many stocks meet one condition, so far or in all, or which of its values have not arrived yet. */
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
      {isCrossing && '. A crossing counts for a minute after it happened.'}
    </p>
  );
}

function countText(count: number, isArriving: boolean): string {
  const number = formatNumber(count, 0);
  if (isArriving) return `${number} so far`;
  return `${number} ${count === 1 ? 'stock meets' : 'stocks meet'} this alone`;
}

/** The condition and the side that the server refused. */
export type WrongPlace = { id: number; side: Side };

/**
 * The side that a field of the saved logic names.
 * @param field e.g. 'logic.conditions[1].rhs.tf', 'logic.conditions[1].conditions[0].lhs'; null names none
 * @param blocks as they were sent
 */
export function wrongPlace(field: string | null, blocks: readonly DraftBlock[]): WrongPlace | null {
  const [, at = '', inGroup = '0', side] =
    /^logic\.conditions\[(\d{1,4})\](?:\.conditions\[(\d{1,4})\])?\.(lhs|rhs)\b/.exec(field ?? '') ?? [];
  const condition = blocks[Number(at)]?.conditions[Number(inGroup)];
  return condition && (side === 'lhs' || side === 'rhs') ? { id: condition.id, side } : null;
}

/** The side of a condition: what is compared, or what it is compared with. */
export type Side = 'lhs' | 'rhs';

type ConditionRowProps = {
  /** Its place in the whole list, by which it is called. */
  index: number;
  canMoveUp: boolean;
  canMoveDown: boolean;
  condition: DraftCondition;
  /** Indicators to choose from, besides those already in the condition. */
  indicators: readonly Ref[];
  /** The user's saved scans, null until they are loaded; left out where none may stand. */
  scans?: readonly OfferedScan[] | null | undefined;
  catalog: Catalog | null;
  /** The market in which the matches are counted; undefined counts none. */
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** Whether the sector may be compared. */
  hasSectors: boolean;
  /** Missing parts are marked: the user has tried to save. */
  showsProblems: boolean;
  /** The side that the server refused; null when it refused none of this condition. */
  wrongSide: Side | null;
  onChange(part: Partial<DraftCondition>): void;
  /** With the number under the cursor; null once it is taken. See `QuantityField`. */
  onTyping?: ((value: number | null) => void) | undefined;
  /** Opens the picker for one side. */
  onPick(side: Side): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
};

const YES_NO: readonly { id: 'yes' | 'no'; label: string }[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** One condition: both sides, the comparison, what is missing, and how many stocks meet it alone. */
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

/** What is to be true of the value: the answer to a question, or a comparison. */
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

/** What the value is compared with: sectors, or a value and its number. */
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
