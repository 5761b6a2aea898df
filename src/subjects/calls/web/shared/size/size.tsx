import { type ReactNode, useEffect, type KeyboardEvent } from 'react';
import {
  positionSize,
  type SizedPosition,
  sizeFigures,
  sizeLine,
  type SizeLimits,
} from '#subjects/calls/rules/positionSize.ts';
import { Rested, followSizeChoices, sizeChoices, chooseSize, MAX_SIZE_AMOUNT } from './sizeChoices.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import '../../calls.css';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';

const FIELDS: readonly { name: keyof SizeLimits; label: string; step: number; placeholder?: string }[] = [
  { name: 'risk', label: 'Risk ($)', step: 10 },
  { name: 'maxValue', label: 'Maximum value ($)', step: 100, placeholder: 'Optional' },
  { name: 'fees', label: 'Fees, both ways ($)', step: 1, placeholder: 'Optional' },
];

/** Stops Enter, because it would submit the surrounding form. */
const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault();
};

/** The fields of the user's limits, stored in this browser while typing. @param wrong the refused field */
function LimitFields({ wrong }: { wrong: string | null }): ReactNode {
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

/** The position size calculator. It sends nothing to the server. */
export function SizePart({ position }: { position: SizedPosition }): ReactNode {
  useEffect(followSizeChoices, []);
  const limits = sizeChoices.value;
  const size = positionSize(position, limits);
  return (
    <div className="stack">
      <LimitFields wrong={size.ok ? null : size.error.field} />
      {size.ok ? (
        <>
          <dl className="size-figures facts">
            {sizeFigures(size.value, (limits.fees ?? 0) > 0).map(([name, figure]) => (
              <Figure key={name} name={name} figure={figure} />
            ))}
          </dl>
          {size.value.isCapped && <p className="size-word muted table-text">Limited by the maximum value.</p>}
        </>
      ) : (
        <p className="size-word muted table-text">{size.error.message}</p>
      )}
      <Rested text={size.ok ? sizeLine(size.value) : size.error.message} />
      <p className="size-word muted table-text">Stored in this browser and not sent with the call.</p>
    </div>
  );
}

const Figure = ({ name, figure }: { name: string; figure: string }): ReactNode => (
  <>
    <dt>{name}</dt>
    <dd>{figure}</dd>
  </>
);

export function SizeDialog({ onClose }: { onClose(): void }): ReactNode {
  const { risk } = sizeChoices.value;
  return (
    <DialogSheet
      open
      title="Position size"
      description="Set a risk and the chart shows how many shares you can buy at the last price, with a stop at the price under the pointer."
      onClose={onClose}
      footer={
        <>
          <Button
            disabled={risk === null}
            onClick={() => {
              chooseSize({ risk: null });
              onClose();
            }}
          >
            Hide size
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="stack">
        <LimitFields wrong={null} />
        <p className="muted table-text">Stored in this browser. A calculation, not advice.</p>
      </div>
    </DialogSheet>
  );
}
