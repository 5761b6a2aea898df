import { type ReactNode, useEffect } from 'react';
import {
  positionSize,
  type SizedPosition,
  sizeFigures,
  sizeLine,
} from '#subjects/calls/rules/positionSize.ts';
import { LimitFields } from './LimitFields.tsx';
import { Rested } from './Rested.tsx';
import { followSizeChoices, sizeChoices } from './sizeChoices.ts';

/** The size of a position, computed while its prices and limits are typed. Nothing of it is sent. */
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
      <p className="size-word muted table-text">Kept in this browser, and not sent with the call.</p>
    </div>
  );
}

const Figure = ({ name, figure }: { name: string; figure: string }): ReactNode => (
  <>
    <dt>{name}</dt>
    <dd>{figure}</dd>
  </>
);
