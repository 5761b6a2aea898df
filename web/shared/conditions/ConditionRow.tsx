import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useMemo } from 'react';
import {
  type DraftCondition,
  draftProblem,
  logicOf,
  OPERATOR_LABELS,
} from '../../../src/domain/conditions/draft.ts';
import { operandText } from '../../../src/domain/conditions/reader.ts';
import { formatNumber } from '../../../src/domain/format.ts';
import type { Ref } from '../../../src/domain/conditions/condition.ts';
import type { Catalog } from '../../../src/domain/indicators/types.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { IconButton } from '../../ui/Button.tsx';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { hasValues, useMatches } from './useMatches.ts';
import { OperandSelect } from './OperandSelect.tsx';

type ConditionRowProps = {
  index: number;
  count: number;
  condition: DraftCondition;
  /** Indicators to choose from, besides those already in the condition. */
  chosen: readonly Ref[];
  catalog: Catalog | null;
  stocks: ReadonlyMap<string, Stock>;
  /** Missing parts are marked: somebody tried to save. */
  showsProblems: boolean;
  onChange(part: Partial<DraftCondition>): void;
  onPick(side: 'lhs' | 'rhs'): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
};

/** One condition: left side, comparison, right side; how many stocks meet it alone. */
export function ConditionRow(props: ConditionRowProps): ReactNode {
  const { index, count, condition, chosen, catalog, showsProblems, onChange, onPick, onMove, onRemove } =
    props;
  const { lhs, op, rhs } = condition;
  const problem = draftProblem(condition);
  const name = `Condition ${index + 1}`;
  return (
    <li className="condition" aria-label={name}>
      <div className="condition-sides">
        <OperandSelect
          label="Value"
          value={lhs}
          chosen={chosen}
          catalog={catalog}
          hasNumber={false}
          isWrong={showsProblems && lhs === null}
          onChoose={(operand) => {
            if (operand.type !== 'number') onChange({ lhs: operand });
          }}
          onPick={() => onPick('lhs')}
        />
        <NativeSelect
          label="Comparison"
          value={op}
          options={OPERATOR_LABELS}
          onChoose={(next) => onChange({ op: next })}
        />
        <OperandSelect
          label="Compared with"
          value={rhs}
          chosen={chosen}
          catalog={catalog}
          hasNumber
          isWrong={showsProblems && rhs === null}
          onChoose={(operand) => onChange({ rhs: operand })}
          onPick={() => onPick('rhs')}
        />
        {rhs?.type === 'number' && (
          <NumberField
            label="Number"
            value={Number.isFinite(rhs.value) ? rhs.value : null}
            limits={{ step: 1 }}
            isWrong={showsProblems && problem !== null}
            onNumber={(value) => onChange({ rhs: { type: 'number', value: value ?? Number.NaN } })}
          />
        )}
      </div>
      <div className="condition-foot">
        {problem === null ? (
          <Found condition={condition} stocks={props.stocks} catalog={catalog} />
        ) : (
          <p className={showsProblems ? 'field-error' : 'field-help'}>{problem}</p>
        )}
        <span className="condition-actions">
          <IconButton label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(-1)}>
            <ArrowUpIcon size={15} aria-hidden />
          </IconButton>
          <IconButton label={`Move ${name} down`} disabled={index === count - 1} onClick={() => onMove(1)}>
            <ArrowDownIcon size={15} aria-hidden />
          </IconButton>
          <IconButton label={`Remove ${name}`} onClick={onRemove}>
            <XIcon size={15} aria-hidden />
          </IconButton>
        </span>
      </div>
    </li>
  );
}

type FoundProps = Pick<ConditionRowProps, 'condition' | 'stocks' | 'catalog'>;

/** How many stocks meet one condition, or which of its values are still to come. */
function Found({ condition, stocks, catalog }: FoundProps): ReactNode {
  const logic = useMemo(() => logicOf([condition]), [condition]);
  const matches = useMatches(logic, stocks);
  const missing = [condition.lhs, condition.rhs].filter(
    (operand) => operand !== null && stocks.size > 0 && !hasValues(operand, stocks),
  );
  const isCrossing = condition.op === 'crosses_above' || condition.op === 'crosses_below';
  return (
    <p className="field-help">
      {missing.length > 0
        ? `${missing.map((operand) => (operand ? operandText(operand, catalog) : '')).join(', ')}: waiting for values`
        : `${formatNumber(matches?.size ?? 0, 0)} ${matches?.size === 1 ? 'stock meets' : 'stocks meet'} this alone`}
      {isCrossing && '. A crossing counts for a minute after it happened.'}
    </p>
  );
}
