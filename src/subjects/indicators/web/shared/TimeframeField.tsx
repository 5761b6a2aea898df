import { type ReactNode, type RefObject, useId } from 'react';
import type { Timeframe } from '#market/indicators/rules/timeframe.ts';
import { Chips } from '#ui/Chips.tsx';
import type { TimeframeOption } from '#subjects/indicators/answers/catalog.ts';

type TimeframeFieldProps = {
  options: readonly TimeframeOption[];
  chosen: readonly Timeframe[];
  /** Each choice is added to those chosen before; otherwise it takes their place. */
  multiple: boolean;
  /** `chosen` is only what is offered first: the first choice takes its place. */
  isProposal: boolean;
  isWrong: boolean;
  selectRef: RefObject<HTMLSelectElement | null>;
  onChoose(chosen: readonly Timeframe[]): void;
};

/** What is chosen once somebody has chosen one more; nothing after one that is not offered. */
function withChoice(
  { options, chosen, multiple, isProposal }: TimeframeFieldProps,
  key: string,
): Timeframe[] {
  const option = options.find((one) => one.key === key);
  if (!option) return [];
  if (!multiple || isProposal) return [option.key];
  // In the order they are offered, whatever the order they were chosen in.
  return options.map((one) => one.key).filter((one) => one === key || chosen.includes(one));
}

/** Chooses one timeframe; or several, which are listed below and can be removed again. */
export function TimeframeField(props: TimeframeFieldProps): ReactNode {
  const { options, chosen, multiple, isWrong, onChoose } = props;
  const id = useId();
  const chosenOptions = options.filter(({ key }) => chosen.includes(key));
  const offered = multiple ? options.filter(({ key }) => !chosen.includes(key)) : options;
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
        onChange={(event) => onChoose(withChoice(props, event.target.value))}
      >
        <option value="">Select timeframe</option>
        {offered.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      {multiple && (
        <Chips
          label="Chosen timeframes"
          chips={chosenOptions}
          fallback={props.selectRef}
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
