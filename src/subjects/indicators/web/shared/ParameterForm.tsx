import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Timeframe } from '#market/indicators/rules/timeframe.ts';
import type { Family, IndicatorChoice, ParamValue, Param } from '#market/indicators/rules/types.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import './ParameterForm.css';
import { TimeframeField } from './TimeframeField.tsx';
import { useParameters } from './useParameters.ts';
import { paramText } from '#market/indicators/rules/indicatorLabel.ts';
import { FormError } from '#ui/FormError.tsx';
import { TextField } from '#ui/TextField.tsx';
import { NumberField } from '#ui/NumberField.tsx';

type ParamFieldProps = { param: Param; value: ParamValue; onValue(value: ParamValue): void };

const NONE = '';

/** The control for one parameter, by its type: a list, a number or a text. */
function ParamField({ param, value, onValue }: ParamFieldProps): ReactNode {
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

type ParamFieldsProps = Pick<ReturnType<typeof useParameters>, 'values' | 'setValue'> & { family: Family };

const ParamFields = ({ family, values, setValue }: ParamFieldsProps): ReactNode =>
  family.params.map((param) => (
    <ParamField
      key={param.name}
      param={param}
      value={values[param.name] ?? null}
      onValue={(value) => setValue(param.name, value)}
    />
  ));

type ParameterFormProps = {
  id: string;
  family: Family;
  /** All timeframes, in the order they are offered. */
  timeframes: readonly { key: Timeframe; label: string }[];
  multipleTimeframes: boolean;
  /** One choice for each timeframe. */
  onSave(choices: IndicatorChoice[]): void;
};

/** An indicator's parameters, timeframes and delay. Without a timeframe Save does nothing but mark what is missing. */
export function ParameterForm(props: ParameterFormProps): ReactNode {
  const { family, onSave } = props;
  const parameters = useParameters(family);
  const timeframeSelect = useRef<HTMLSelectElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // What was chosen in the picker is gone, and the focus with it.
  useEffect(() => form.current?.querySelector<HTMLElement>('select, input:not([readonly])')?.focus(), []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    // A portal's events go through the form that opened the dialog, which must not be submitted too.
    event.stopPropagation();
    const choices = parameters.check();
    if (choices) return onSave(choices);
    if (parameters.timeframes.length === 0) timeframeSelect.current?.focus();
  };
  return (
    <form id={props.id} ref={form} className="parameters" noValidate onSubmit={save}>
      <ParamFields family={family} {...parameters} />
      {family.hasTimeframes && (
        <TimeframeField
          options={props.timeframes.filter(({ key }) => family.timeframes.includes(key))}
          chosen={parameters.timeframes}
          multiple={props.multipleTimeframes}
          isProposal={parameters.isProposal}
          isWrong={parameters.isTimeframeMissing}
          selectRef={timeframeSelect}
          onChoose={parameters.setTimeframes}
        />
      )}
      {family.delaysAvailable.length > 0 && (
        <DelaySelect family={family} delay={parameters.delay} onChoose={parameters.setDelay} />
      )}
      <FormError>{parameters.problem}</FormError>
      <p className="muted parameters-result">
        {resultText(family, parameters.values, parameters.timeframes.length)}
      </p>
    </form>
  );
}

type DelaySelectProps = { family: Family; delay: number; onChoose(delay: number): void };

/** Chooses how many bars back the indicator is read. */
function DelaySelect({ family, delay, onChoose }: DelaySelectProps): ReactNode {
  return (
    <NativeSelect
      label="Delay"
      value={String(delay)}
      options={[0, ...family.delaysAvailable].map((bars) => ({ id: String(bars), label: delayText(bars) }))}
      onChoose={(bars) => onChoose(Number(bars))}
    />
  );
}

const delayText = (bars: number): string => (bars === 0 ? 'Now' : `${bars} bar${bars === 1 ? '' : 's'} ago`);

/** The name of the indicator that Save makes, and on how many timeframes. */
function resultText(
  family: Family,
  values: Readonly<Record<string, ParamValue>>,
  timeframes: number,
): string {
  const texts = family.params.flatMap((param) => values[param.name] ?? []).map(paramText);
  const name = texts.length === 0 ? family.label : `${family.label}(${texts.join(', ')})`;
  return family.hasTimeframes && timeframes > 1 ? `${name} on ${timeframes} timeframes` : name;
}
