import { type ReactNode, useId } from 'react';
import { operandId, operandText } from '../../../src/domain/conditions/operandText.ts';
import { BROKER_FIELDS } from '../../../src/domain/indicators/brokerFields.ts';
import type { Operand, Ref } from '../../../src/domain/conditions/operand.ts';
import type { Catalog } from '../../../src/domain/indicators/types.ts';

type OperandSelectProps = {
  label: string;
  value: Operand | null;
  chosen: readonly Ref[];
  catalog: Catalog | null;
  /** The right side may be a number. */
  hasNumber: boolean;
  isWrong: boolean;
  onChoose(operand: Operand): void;
  /** Something from the picker is wanted. */
  onPick(): void;
};

const NONE = '';
const NUMBER = 'number';
const PICK = 'pick';

const fields: readonly Operand[] = BROKER_FIELDS.map(({ key }) => ({ type: 'field', key }));

const idOf = (operand: Operand | null): string =>
  operand === null ? NONE : operand.type === 'number' ? NUMBER : operandId(operand);

/** One side of a condition: a field, an indicator that is at hand, a new one from the picker, or a number. */
export function OperandSelect(props: OperandSelectProps): ReactNode {
  const { label, value, chosen, catalog, hasNumber, isWrong, onChoose, onPick } = props;
  const id = useId();
  const own = value !== null && (value.type === 'indicator' || value.type === 'htf') ? [value] : [];
  const indicators = [...new Map([...chosen, ...own].map((ref) => [operandId(ref), ref])).values()];
  const choose = (key: string) => {
    if (key === PICK) return onPick();
    if (key === NUMBER) return onChoose({ type: 'number', value: Number.NaN });
    const operand = [...fields, ...indicators].find((one) => operandId(one) === key);
    if (operand) onChoose(operand);
  };
  const option = (operand: Operand) => (
    <option key={operandId(operand)} value={operandId(operand)}>
      {operandText(operand, catalog)}
    </option>
  );
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
        {value === null && <option value={NONE}>Select…</option>}
        {hasNumber && <option value={NUMBER}>Number</option>}
        <optgroup label="Fields">{fields.map(option)}</optgroup>
        {indicators.length > 0 && <optgroup label="Indicators">{indicators.map(option)}</optgroup>}
        <option value={PICK}>Add indicator…</option>
      </select>
    </div>
  );
}
