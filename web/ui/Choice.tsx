import { useId } from 'react';

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

/** One of a few, all in sight: native radio buttons drawn as a row of segments. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend>{label}</legend>
      <div className="segments">
        {options.map((option) => (
          <label key={option.id} className="segment">
            <input
              type="radio"
              name={name}
              checked={option.id === value}
              onChange={() => onChoose(option.id)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
