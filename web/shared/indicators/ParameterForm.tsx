import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { paramText } from '../../../src/domain/indicators/indicatorLabel.ts';
import { defaultOf, normaliseParams } from '../../../src/domain/indicators/parameters.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '../../../src/domain/indicators/timeframe.ts';
import type { Family, IndicatorChoice, ParamValue } from '../../../src/domain/indicators/types.ts';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import { ParamField } from './ParamField.tsx';
import { TimeframeField } from './TimeframeField.tsx';

type ParameterFormProps = {
  id: string;
  family: Family;
  timeframes: readonly { key: Timeframe; label: string }[];
  several: boolean;
  /** One choice for each timeframe. */
  onSave(choices: IndicatorChoice[]): void;
};

function usualTimeframes({ timeframes, defaultTimeframes }: Family): Timeframe[] {
  const usual = defaultTimeframes.filter((tf) => timeframes.includes(tf)).slice(0, 1);
  return usual.length > 0 ? usual : timeframes.slice(0, 1);
}

const delayText = (delay: number): string =>
  delay === 0 ? 'Now' : `${delay} bar${delay === 1 ? '' : 's'} ago`;

/** An indicator's parameters, timeframes and delay. Without a timeframe Save does nothing but say what is missing. */
export function ParameterForm({ id, family, timeframes, several, onSave }: ParameterFormProps): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, ParamValue>>>(() =>
    Object.fromEntries(family.params.map((param) => [param.name, defaultOf(param)])),
  );
  const [chosen, setChosen] = useState<readonly Timeframe[]>(() => usualTimeframes(family));
  const [delay, setDelay] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [misses, setMisses] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const offered = timeframes.filter(({ key }) => family.timeframes.includes(key));

  const save = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (family.hasTimeframes && chosen.length === 0) {
      setMisses(true);
      form.current?.querySelector<HTMLElement>('[data-timeframe] select')?.focus();
      return;
    }
    const params = normaliseParams(family, values);
    if (!params.ok) return setProblem(params.error.message);
    const on = chosen.length > 0 ? chosen : [DEFAULT_TIMEFRAME];
    onSave(on.map((tf) => ({ family: family.family, params: params.value, tf, delay })));
  };

  return (
    <form id={id} ref={form} className="parameters" noValidate onSubmit={save}>
      {family.params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={values[param.name] ?? null}
          onValue={(value) => {
            setProblem(null);
            setValues((old) => ({ ...old, [param.name]: value }));
          }}
        />
      ))}
      {family.hasTimeframes && (
        <TimeframeField
          options={offered}
          chosen={chosen}
          several={several}
          isWrong={misses}
          onChoose={(next) => {
            setMisses(false);
            setChosen(next);
          }}
        />
      )}
      {family.delaysAvailable.length > 0 && (
        <NativeSelect
          label="Delay"
          value={String(delay)}
          options={[0, ...family.delaysAvailable].map((one) => ({ id: String(one), label: delayText(one) }))}
          onChoose={(one) => setDelay(Number(one))}
        />
      )}
      <p className="form-error" role="alert">
        {problem}
      </p>
      <p className="muted parameters-result">{resultText(family, values, chosen.length)}</p>
    </form>
  );
}

/** What Save will make. */
function resultText(
  family: Family,
  values: Readonly<Record<string, ParamValue>>,
  timeframes: number,
): string {
  const own = family.params.flatMap((param) => values[param.name] ?? []).map(paramText);
  const name = own.length === 0 ? family.label : `${family.label}(${own.join(', ')})`;
  return family.hasTimeframes && timeframes > 1 ? `${name} on ${timeframes} timeframes` : name;
}
