import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useId } from 'react';
import type { Timeframe } from '../../../src/domain/indicators/timeframe.ts';

type TimeframeFieldProps = {
  options: readonly { key: Timeframe; label: string }[];
  chosen: readonly Timeframe[];
  several: boolean;
  isWrong: boolean;
  onChoose(chosen: readonly Timeframe[]): void;
};

/** Chooses a timeframe; with `several` each choice is added to those below, which can be taken out again. */
export function TimeframeField({
  options,
  chosen,
  several,
  isWrong,
  onChoose,
}: TimeframeFieldProps): ReactNode {
  const id = useId();
  const left = several ? options.filter(({ key }) => !chosen.includes(key)) : options;
  const pick = (key: string) => {
    const option = options.find((one) => one.key === key);
    if (!option) return onChoose([]);
    if (!several) return onChoose([option.key]);
    // In the order they are offered, whatever the order they were chosen in.
    onChoose(options.map((one) => one.key).filter((one) => one === key || chosen.includes(one)));
  };
  return (
    <div className="field" data-timeframe>
      <label htmlFor={id}>Timeframe</label>
      <select
        id={id}
        className="input select"
        value={several ? '' : (chosen[0] ?? '')}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => pick(event.target.value)}
      >
        <option value="">Select timeframe</option>
        {left.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      {several && chosen.length > 0 && (
        <ul className="timeframes" aria-label="Chosen timeframes">
          {options
            .filter(({ key }) => chosen.includes(key))
            .map(({ key, label }) => (
              <li key={key} className="timeframe">
                {label}
                <button
                  type="button"
                  aria-label={`Remove ${label}`}
                  onClick={() => onChoose(chosen.filter((one) => one !== key))}
                >
                  <XIcon size={14} aria-hidden />
                </button>
              </li>
            ))}
        </ul>
      )}
      <p className={isWrong ? 'field-error' : 'field-help'} id={`${id}-help`}>
        {isWrong ? 'Select a timeframe.' : several ? 'Each timeframe becomes a column of its own.' : ''}
      </p>
    </div>
  );
}
