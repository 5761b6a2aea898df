import type { KeyboardEvent, ReactNode } from 'react';
import type { SizeLimits } from '#subjects/calls/rules/positionSize.ts';
import { NumberField } from '#ui/NumberField.tsx';
import { chooseSize, MAX_SIZE_AMOUNT, sizeChoices } from './sizeChoices.ts';
import '../calls.css';

const FIELDS: readonly { name: keyof SizeLimits; label: string; step: number; placeholder?: string }[] = [
  { name: 'risk', label: 'Risk ($)', step: 10 },
  { name: 'maxValue', label: 'Maximum value ($)', step: 100, placeholder: 'Optional' },
  { name: 'fees', label: 'Fees, both ways ($)', step: 1, placeholder: 'Optional' },
];

/** Enter in a form that these fields stand in would send that form, of which they are no part. */
const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault();
};

/** What may be lost and paid, kept in this browser while it is typed. @param wrong the one that is refused */
export function LimitFields({ wrong }: { wrong: string | null }): ReactNode {
  const choices = sizeChoices.value;
  return (
    <div
      className="limit-fields form-row"
      role="group"
      aria-label="Limits of a position"
      onKeyDown={keepEnter}
    >
      {FIELDS.map(({ name, label, step, placeholder }) => (
        <NumberField
          key={name}
          label={label}
          placeholder={placeholder}
          value={choices[name]}
          limits={{ min: 0, max: MAX_SIZE_AMOUNT, step }}
          isWrong={wrong === name && choices[name] !== null}
          onNumber={(amount) => chooseSize({ [name]: amount })}
        />
      ))}
    </div>
  );
}
