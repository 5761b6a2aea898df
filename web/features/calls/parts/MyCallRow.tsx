import { useState } from 'react';
import {
  formatCallPrice,
  formatMoment,
  formatPocketed,
  formatResult,
  formatStatus,
} from '../../../../src/domain/calls/callFormat.ts';
import { isLive } from '../../../../src/domain/calls/callRules.ts';
import type { OwnCall } from '../../../../src/domain/calls/types.ts';
import { DASH } from '../../../../src/domain/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';

type MyCallRowProps = {
  call: OwnCall;
  isBusy: boolean;
  onClose(pocketed: number | null): void;
  onCancel(): void;
};

const MONEY_LIMITS = { step: 1 };

/** One own call; a live one can be closed or cancelled here. */
export function MyCallRow({ call, isBusy, onClose, onCancel }: MyCallRowProps) {
  const [pocketed, setPocketed] = useState<number | null>(null);
  return (
    <tr>
      <th scope="row" data-label="Symbol">
        {call.symbol}
      </th>
      <td data-label="Status">
        <span>{formatStatus(call.status)}</span>
        {notesOf(call).map((note) => (
          <span key={note} className="my-call-note">
            {note}
          </span>
        ))}
      </td>
      <td data-label="Entry" className="is-number">
        {formatCallPrice(call.entryPrice)}
      </td>
      <td data-label="Target" className="is-number">
        {formatCallPrice(call.targetPrice)}
      </td>
      <td data-label="Pocketed" className="is-number">
        {formatPocketed(call.pocketedValue)}
      </td>
      <td data-label="Actions">
        {isLive(call.status) ? (
          <form
            className="my-call-actions"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!isBusy) onClose(pocketed);
            }}
          >
            <NumberField
              label={`Pocketed $ for ${call.symbol}`}
              hideLabel
              placeholder="Pocketed $"
              value={pocketed}
              limits={MONEY_LIMITS}
              disabled={isBusy}
              onNumber={setPocketed}
            />
            <Button type="submit" disabled={isBusy}>
              Close
            </Button>
            <Button disabled={isBusy} onClick={onCancel}>
              Cancel
            </Button>
          </form>
        ) : (
          DASH
        )}
      </td>
    </tr>
  );
}

/** What the prices did with the call, a sentence each. */
function notesOf(call: OwnCall): string[] {
  const notes: string[] = [];
  const { targetReached, stopReached, verified, trackingPaused } = call;
  if (targetReached) {
    notes.push(`Target reached ${formatMoment(targetReached.at)} at ${formatCallPrice(targetReached.price)}`);
  }
  if (stopReached) {
    notes.push(`Stop reached ${formatMoment(stopReached.at)} at ${formatCallPrice(stopReached.price)}`);
  } else if (call.status === 'open' && call.stopLevel !== null) {
    notes.push(`Stop stands at ${formatCallPrice(call.stopLevel)}`);
  }
  if (verified) notes.push(`Verified ${formatResult(verified.percent)}`);
  if (trackingPaused !== null) notes.push(trackingPaused);
  return notes;
}
