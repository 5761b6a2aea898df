import './OutcomeText.css';
import { Pill } from '../../../../web/ui/Pill.tsx';
import { momentText, OUTCOMES, outcomeNotes } from './channelTexts.ts';
import type { Outcome } from './readChannels.ts';

/** How something sent to a channel stands: a word, when it was sent, and why it was not. */
export function OutcomeText({ outcome }: { outcome: Outcome }) {
  const { label, variant } = OUTCOMES[outcome.status];
  return (
    <span className="outcome-text">
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
