import { formatMoment, formatStatus } from '../../../subjects/calls/rules/callFormat.ts';
import { formatPocketed } from '../../../subjects/calls/rules/pocketed.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { Pill } from '../../../../web/ui/Pill.tsx';
import type { ReviewedCall } from './readQueue.ts';

type ReviewRowProps = {
  call: ReviewedCall;
  /** A decision is on its way. */
  isBusy: boolean;
  onDecide(adminStatus: 'normal' | 'rejected'): void;
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One call of the queue, why it is there, and the two decisions. */
export function ReviewRow({ call, isBusy, onDecide }: ReviewRowProps) {
  const { symbol, submitter, adminStatus, reviewReason } = call;
  const isRejected = adminStatus === 'rejected';
  const name = `${symbol} by ${submitter}`;
  return (
    <tr aria-busy={isBusy}>
      <th scope="row">{symbol}</th>
      <td data-heading="Submitter">{submitter}</td>
      <td data-heading="Status">{formatStatus(call.status)}</td>
      <td data-heading="Admin Status">
        <Pill variant={isRejected ? 'down' : 'warn'}>{capitalised(adminStatus)}</Pill>
        {reviewReason !== null && <p className="record-note">{reviewReason}</p>}
      </td>
      <td data-heading="Submitted">{formatMoment(call.submittedAt)}</td>
      <td data-heading="Pocketed">{formatPocketed(call.pocketedValue)}</td>
      <td className="record-actions">
        <Button
          variant="danger"
          disabled={isRejected}
          aria-label={`Reject ${name}`}
          onClick={() => onDecide('rejected')}
        >
          Reject
        </Button>
        <Button className="mark-normal" aria-label={`Mark normal ${name}`} onClick={() => onDecide('normal')}>
          Mark normal
        </Button>
      </td>
    </tr>
  );
}
