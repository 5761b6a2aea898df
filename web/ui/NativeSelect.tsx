import { type ComponentProps, useId } from 'react';
import { Field } from './Field.tsx';

type NativeSelectProps<T extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  label: string;
  value: T;
  options: readonly { id: T; label: string }[];
  onChoose: (value: T) => void;
};

/** The browser's own select: the best list on a phone, and no code to download. */
export function NativeSelect<T extends string>(props: NativeSelectProps<T>) {
  const { label, value, options, onChoose, ...rest } = props;
  const id = useId();
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        className="input"
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.id === event.target.value);
          if (chosen) onChoose(chosen.id);
        }}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}
