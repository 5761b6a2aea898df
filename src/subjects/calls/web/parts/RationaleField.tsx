import { useId } from 'react';
import { MAX_RATIONALE, rationaleLength } from '#subjects/calls/rules/rationale.ts';
import { describedBy, Field } from '#ui/Field.tsx';
import './RationaleField.css';

type RationaleFieldProps = {
  value: string;
  isWrong: boolean;
  onText(text: string): void;
};

function countText(length: number): string {
  const left = MAX_RATIONALE - length;
  return left >= 0 ? `${length} of ${MAX_RATIONALE} characters` : `${-left} characters too many`;
}

/** Why the call is made, in the submitter's own words; may stay empty. */
export function RationaleField({ value, isWrong, onText }: RationaleFieldProps) {
  const id = useId();
  const length = rationaleLength(value);
  const help = countText(length);
  return (
    <Field id={id} label="Rationale (optional)" help={help}>
      <textarea
        id={id}
        className="input rationale-input"
        name="rationale"
        rows={3}
        value={value}
        aria-invalid={isWrong || length > MAX_RATIONALE || undefined}
        aria-describedby={describedBy(id, { help })}
        onChange={(event) => onText(event.target.value)}
      />
    </Field>
  );
}
