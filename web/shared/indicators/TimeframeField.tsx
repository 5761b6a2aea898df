import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useId } from 'react';
import type { Timeframe } from '../../../src/domain/indicators/timeframe.ts';
import './TimeframeField.css';

type TimeframeOption = { key: Timeframe; label: string };

type TimeframeFieldProps = {
  options: readonly TimeframeOption[];
  chosen: readonly Timeframe[];
  /** Each choice is added to the chosen ones; otherwise it takes their place. */
  multiple: boolean;
  isWrong: boolean;
  selectRef: RefObject<HTMLSelectElement | null>;
  onChoose(chosen: readonly Timeframe[]): void;
};

/** Chooses one timeframe; or several, which are listed below and can be removed again. */
export function TimeframeField(props: TimeframeFieldProps): ReactNode {
  const { options, chosen, multiple, isWrong, onChoose } = props;
  const id = useId();
  const chosenOptions = options.filter(({ key }) => chosen.includes(key));
  const offered = multiple ? options.filter(({ key }) => !chosen.includes(key)) : options;
  const choose = (key: string) => {
    const option = options.find((one) => one.key === key);
    if (!option) return onChoose([]);
    if (!multiple) return onChoose([option.key]);
    // In the order they are offered, whatever the order they were chosen in.
    onChoose(options.map((one) => one.key).filter((one) => one === key || chosen.includes(one)));
  };
  return (
    <div className="field">
      <label htmlFor={id}>Timeframe</label>
      <select
        id={id}
        ref={props.selectRef}
        className="input select"
        value={multiple ? '' : (chosen[0] ?? '')}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Select timeframe</option>
        {offered.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      {multiple && chosenOptions.length > 0 && (
        <ChosenTimeframes
          options={chosenOptions}
          onRemove={(key) => onChoose(chosen.filter((one) => one !== key))}
        />
      )}
      <p className={isWrong ? 'field-error' : 'field-help'} id={`${id}-help`}>
        {isWrong && 'Select a timeframe.'}
        {!isWrong && multiple && 'Each timeframe becomes a column of its own.'}
      </p>
    </div>
  );
}

type ChosenTimeframesProps = { options: readonly TimeframeOption[]; onRemove(key: Timeframe): void };

function ChosenTimeframes({ options, onRemove }: ChosenTimeframesProps): ReactNode {
  return (
    <ul className="timeframes" aria-label="Chosen timeframes">
      {options.map(({ key, label }) => (
        <li key={key} className="timeframe">
          {label}
          <button type="button" aria-label={`Remove ${label}`} onClick={() => onRemove(key)}>
            <XIcon size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
