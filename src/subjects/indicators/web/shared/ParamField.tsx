import type { ReactNode } from 'react';
import { paramText } from '../../../../market/indicators/rules/indicatorLabel.ts';
import type { Param, ParamValue } from '../../../../market/indicators/rules/types.ts';
import { TextField } from '../../../../../web/ui/TextField.tsx';
import { NativeSelect } from '../../../../../web/ui/NativeSelect.tsx';
import { NumberField } from '../../../../../web/ui/NumberField.tsx';

type ParamFieldProps = { param: Param; value: ParamValue; onValue(value: ParamValue): void };

const NONE = '';

/** The control for one parameter, by its type: a list, a number or a text. */
export function ParamField({ param, value, onValue }: ParamFieldProps): ReactNode {
  const { label, type, values = [], min, max, step, readOnly, allowNone, noneLabel } = param;
  if (type === 'enum') {
    const options = values.map((one) => ({ id: one, label: paramText(one) }));
    const none = { id: NONE, label: noneLabel ?? 'None' };
    return (
      <NativeSelect
        label={label}
        value={value === null ? NONE : String(value)}
        disabled={readOnly}
        options={allowNone ? [none, ...options] : options}
        onChoose={(chosen) => onValue(chosen === NONE ? null : chosen)}
      />
    );
  }
  if (type === 'number') {
    const limits = {
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(step === undefined ? {} : { step }),
    };
    const number = typeof value === 'number' ? value : null;
    return (
      <NumberField label={label} value={number} limits={limits} readOnly={readOnly} onNumber={onValue} />
    );
  }
  return (
    <TextField
      label={label}
      value={value === null ? '' : String(value)}
      readOnly={readOnly}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
