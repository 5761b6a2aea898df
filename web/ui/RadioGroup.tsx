import { useId } from 'react';

type RadioGroupProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

/** One of a few, all in sight: the browser's own radio buttons, drawn as a row of segments. */
export function RadioGroup<T extends string>({ label, value, options, onChoose }: RadioGroupProps<T>) {
  const name = useId();
  return (
    <fieldset className="radio-group">
      <legend>{label}</legend>
      <div className="radio-options">
        {options.map((option) => (
          <label key={option.id} className="radio-option">
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
