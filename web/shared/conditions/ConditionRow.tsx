import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { type DraftCondition, OPERATOR_LABELS } from '../../../src/domain/conditions/draft.ts';
import type { Catalog } from '../../../src/domain/indicators/types.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { IconButton } from '../../ui/Button.tsx';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import './ConditionRow.css';
import { MatchCount } from './MatchCount.tsx';
import { OperandSelect } from './OperandSelect.tsx';
import { draftRefusal } from '../../../src/domain/conditions/draft.ts';
import type { Ref } from '../../../src/domain/conditions/operand.ts';

/** The side of a condition: what is compared, or what it is compared with. */
export type Side = 'lhs' | 'rhs';

type ConditionRowProps = {
  index: number;
  /** How many conditions the list has. */
  count: number;
  condition: DraftCondition;
  /** Indicators to choose from, besides those already in the condition. */
  indicators: readonly Ref[];
  catalog: Catalog | null;
  /** The market in which the matches are counted; undefined counts none. */
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** Missing parts are marked: the user has tried to save. */
  showsProblems: boolean;
  /** The side that the server refused; null when it refused none of this condition. */
  wrongSide: Side | null;
  onChange(part: Partial<DraftCondition>): void;
  /** Opens the picker for one side. */
  onPick(side: Side): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
};

/** One condition: both sides, the comparison, what is missing, and how many stocks meet it alone. */
export function ConditionRow(props: ConditionRowProps): ReactNode {
  const { condition, catalog, stocks, showsProblems } = props;
  const problem = draftRefusal(condition);
  const name = `Condition ${props.index + 1}`;
  return (
    <li className="condition" aria-label={name}>
      <Comparison {...props} />
      <div className="condition-foot">
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
  const { condition, indicators, catalog, showsProblems, wrongSide, onChange, onPick } = props;
  const { lhs, op, rhs } = condition;
  return (
    <div className="condition-sides">
      <OperandSelect
        label="Value"
        value={lhs}
        indicators={indicators}
        catalog={catalog}
        allowsNumber={false}
        isWrong={wrongSide === 'lhs' || (showsProblems && lhs === null)}
        onChoose={(operand) => {
          if (operand.type !== 'number') onChange({ lhs: operand });
        }}
        onPick={() => onPick('lhs')}
      />
      <NativeSelect
        label="Comparison"
        value={op}
        options={OPERATOR_LABELS}
        onChoose={(operator) => onChange({ op: operator })}
      />
      <OperandSelect
        label="Compared with"
        value={rhs}
        indicators={indicators}
        catalog={catalog}
        allowsNumber
        isWrong={wrongSide === 'rhs' || (showsProblems && rhs === null)}
        onChoose={(operand) => onChange({ rhs: operand })}
        onPick={() => onPick('rhs')}
      />
      {rhs?.type === 'number' && (
        <NumberField
          label="Number"
          value={Number.isFinite(rhs.value) ? rhs.value : null}
          limits={{ step: 1 }}
          isWrong={showsProblems && draftRefusal(condition) !== null}
          onNumber={(value) => onChange({ rhs: { type: 'number', value: value ?? Number.NaN } })}
        />
      )}
    </div>
  );
}

type ActionsProps = Pick<ConditionRowProps, 'index' | 'count' | 'onMove' | 'onRemove'> & { name: string };

function Actions({ index, count, name, onMove, onRemove }: ActionsProps): ReactNode {
  return (
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
  );
}
