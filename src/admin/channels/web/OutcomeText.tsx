import { Pill, type PillVariant } from '#ui/Pill.tsx';
import type { Outcome } from '../answers/channels.ts';
import { whenText } from '#admin/web/parts/RecordTable.tsx';

/** '19 Nov 16:31' in Sydney. @param time ISO 8601; null gives '' */
export const momentText = (time: string | null): string => (time === null ? '' : whenText(Date.parse(time)));

const OUTCOMES: Readonly<Record<Outcome['status'], { label: string; variant: PillVariant }>> = {
  waiting: { label: 'Waiting', variant: 'warn' },
  sending: { label: 'On its way', variant: 'warn' },
  sent: { label: 'Sent', variant: 'up' },
  failed: { label: 'Not sent', variant: 'down' },
  forgotten: { label: 'No longer kept', variant: 'plain' },
  skipped: { label: 'Skipped', variant: 'plain' },
};

const MAY_REPEAT: Partial<Record<Outcome['status'], string>> = {
  waiting: 'It may already have arrived. It will be sent again, marked as a possible repeat.',
  sent: 'Sent twice because the first attempt was not confirmed. It may appear twice.',
  failed: 'It may have arrived anyway.',
};

const outcomeNotes = ({ status, reason, mayRepeat }: Outcome): string[] =>
  [reason, mayRepeat ? (MAY_REPEAT[status] ?? null) : null].filter((note) => note !== null);

export const isSettled = ({ status }: Outcome): boolean => status !== 'waiting' && status !== 'sending';

export function OutcomeText({ outcome }: { outcome: Outcome }) {
  const { label, variant } = OUTCOMES[outcome.status];
  return (
    <span className="row gap-0-3 table-text">
      <Pill variant={variant}>{label}</Pill>
      {outcome.sentAt !== null && <time dateTime={outcome.sentAt}>{momentText(outcome.sentAt)}</time>}
      {outcomeNotes(outcome).map((note) => (
        <span key={note} className="muted">
          {note}
        </span>
      ))}
    </span>
  );
}
