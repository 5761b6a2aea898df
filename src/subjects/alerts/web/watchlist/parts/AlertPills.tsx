import type { ReactNode } from 'react';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { formatTime } from '../../../../../texts/format.ts';
import { Pill } from '../../../../../../web/ui/Pill.tsx';
import { type EditorState, isUnsaved } from '../alerts/editorState.ts';

/** In what state an alert is, as far as it is not simply on and saved. */
export function AlertPills({ state }: { state: EditorState }): ReactNode {
  const { saved, inFlight, refusal, conflict } = state;
  const isWaiting = refusal !== null || conflict !== null;
  return (
    <>
      {saved?.snoozed_until && <Pill variant="stale">Snoozed until {formatTime(saved.snoozed_until)}</Pill>}
      {saved?.active && saved.expires_at !== null && (
        <Pill variant="stale">Expires {formatMoment(saved.expires_at)}</Pill>
      )}
      {saved?.stopped_reason && !state.draft.active && <Pill variant="warn">Stopped</Pill>}
      {saved?.delivery === 'failed' && <Pill variant="down">Not delivered</Pill>}
      {isWaiting && isUnsaved(state) && <Pill variant="down">Not saved</Pill>}
      <span className="alert-saving" role="status">
        {inFlight !== null && 'Saving…'}
      </span>
    </>
  );
}
