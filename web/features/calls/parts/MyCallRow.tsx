import { type FormEvent, useState } from 'react';
import {
  formatCallPrice,
  formatMoment,
  formatPocketed,
  formatResult,
  formatStatus,
} from '../../../../src/domain/calls/callFormat.ts';
import { isLive } from '../../../../src/domain/calls/callRules.ts';
import { DASH } from '../../../../src/domain/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import type { MyCall } from '../readCalls.ts';
import './MyCallRow.css';

type MyCallRowProps = {
  call: MyCall;
  isBusy: boolean;
  /** The input that was refused; null when none was. */
  wrong: string | null;
  /** A refused value is being corrected. */
  onEdit(): void;
  /** @param pocketed what is entered, $; null for nothing */
  onClose(pocketed: number | null): void;
  onCancel(): void;
};

const POCKETED_LIMITS = { step: 1 };

/** One own call; a pending or open one can be closed or cancelled here. */
export function MyCallRow(props: MyCallRowProps) {
  const { call } = props;
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
      <td data-label="Actions">{isLive(call.status) ? <Actions {...props} /> : DASH}</td>
    </tr>
  );
}

function Actions({ call, isBusy, wrong, onEdit, onClose, onCancel }: MyCallRowProps) {
  const [pocketed, setPocketed] = useState<number | null>(null);
  const close = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onClose(pocketed);
  };
  const isWrong = wrong === 'pocketedValue';
  const edit = (value: number | null) => {
    setPocketed(value);
    if (isWrong) onEdit();
  };
  return (
    <form className="my-call-actions" noValidate onSubmit={close}>
      <NumberField
        label={`Pocketed $ for ${call.symbol}`}
        hideLabel
        placeholder="Pocketed $"
        value={pocketed}
        limits={POCKETED_LIMITS}
        disabled={isBusy}
        isWrong={isWrong}
        onNumber={edit}
      />
      <Button type="submit" disabled={isBusy}>
        Close
      </Button>
      <Button disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}

/** What the recorded prices say of the call, in short sentences. */
function notesOf(call: MyCall): string[] {
  const notes: string[] = [];
  const { targetReached, stopReached, verified, trackingPaused, awaitingTrade, corrections } = call;
  if (targetReached) {
    notes.push(`Target reached ${formatMoment(targetReached.at)} at ${formatCallPrice(targetReached.price)}`);
  }
  if (stopReached) {
    notes.push(`Stop reached ${formatMoment(stopReached.at)} at ${formatCallPrice(stopReached.price)}`);
  } else if (call.status === 'open' && call.stopLevel !== null) {
    notes.push(`Stop stands at ${formatCallPrice(call.stopLevel)}`);
  }
  if (verified) notes.push(`Verified ${formatResult(verified.percent)}`);
  if (awaitingTrade) notes.push('Awaiting a trade');
  if (trackingPaused !== null) notes.push(trackingPaused);
  for (const { at, by, reason } of corrections) {
    notes.push(`Corrected ${formatMoment(at)} by ${by.display}: ${reason}`);
  }
  return notes;
}
