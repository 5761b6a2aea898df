import { type ReactNode, useId } from 'react';
import {
  isScan,
  isSector,
  isYesNo,
  type Operand,
  operandId,
  operandText,
  type Ref,
  type ScanRef,
} from '#subjects/conditions/rules/operand.ts';
import { CONDITION_FIELDS } from '#subjects/conditions/rules/conditionFields.ts';
import { NO_SCAN } from '#subjects/conditions/rules/draft.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';

type ScanNoteProps = {
  value: Operand | null;
  /** The user's saved scans; null until they are loaded. */
  scans: readonly OfferedScan[] | null;
};

/** What is to be said of a condition on a saved scan that can't be chosen, with the way to make one; nothing else. */
export function ScanNote({ value, scans }: ScanNoteProps): ReactNode {
  if (value?.type !== 'scan' || scans === null) return null;
  const isChosen = value.id !== NO_SCAN.id;
  if (isChosen && scans.some(({ id }) => id === value.id)) return null;
  return (
    <>
      {isChosen && (
        <p className="field-error">
          Your scan “{value.name}” was deleted. Choose something else to wait for.
        </p>
      )}
      {scans.length === 0 && (
        <p className="field-help">
          You have no saved scans. Make one in the <a href={`#${SCANNERS.custom.route}`}>Custom Scanner</a>{' '}
          and it appears here.
        </p>
      )}
    </>
  );
}

/** A saved scan to choose. */
export type OfferedScan = { id: number; name: string };

type OperandSelectProps = {
  label: string;
  value: Operand | null;
  /** Indicators to choose from, besides the value itself. */
  indicators: readonly Ref[];
  /** The user's saved scans, null until they are loaded; left out where none may stand. */
  scans?: readonly OfferedScan[] | null | undefined;
  catalog: Catalog | null;
  /** It is what another value is compared with, so it may be a number, which the caller asks for. */
  isRight: boolean;
  hasSectors: boolean;
  isWrong: boolean;
  onChoose(operand: Operand): void;
  /** Opens the picker. */
  onPick(): void;
};

const NONE = '';
const NUMBER = 'number';
const PICK = 'pick';

const NO_SCAN_ID = operandId(NO_SCAN);

const FIELDS: readonly Operand[] = CONDITION_FIELDS.map(({ key }) => ({ type: 'field', key }));

const idOf = (operand: Operand | null): string =>
  operand === null || operandId(operand) === NO_SCAN_ID
    ? NONE
    : operand.type === 'number'
      ? NUMBER
      : operandId(operand);

/** The fields that may stand on a side; its value may stay what it is. */
function fieldsOf({ value, isRight, hasSectors }: OperandSelectProps): readonly Operand[] {
  const isAsked = isYesNo(value) || isScan(value);
  return FIELDS.filter(
    (field) =>
      (!isSector(field) || hasSectors || isSector(value)) &&
      // Nothing is compared with a yes or no, but for what was saved so.
      (!(isYesNo(field) || isScan(field)) || !isRight || isAsked),
  );
}

/** Chooses one side of a condition: a field, one of the given indicators, one from the picker, or a number. */
export function OperandSelect(props: OperandSelectProps): ReactNode {
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

/** The saved scans, with the one that is the value already, which may be deleted. */
function scansWithOwn(scans: readonly OfferedScan[], value: Operand | null): ScanRef[] {
  const isOwn = value?.type === 'scan' && value.id !== NO_SCAN.id && scans.every(({ id }) => id !== value.id);
  const offered = scans.map(({ id, name }): ScanRef => ({ type: 'scan', id, name }));
  return isOwn ? [...offered, value] : offered;
}

/** The indicators, each once, with the one that is the value already. */
function withOwn(indicators: readonly Ref[], value: Operand | null): Ref[] {
  const own = value !== null && (value.type === 'indicator' || value.type === 'htf') ? [value] : [];
  return [...new Map([...indicators, ...own].map((ref) => [operandId(ref), ref])).values()];
}
