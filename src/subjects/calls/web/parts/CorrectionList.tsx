import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { formatChange } from '#subjects/calls/rules/markText.ts';
import { board } from '../state.ts';
import { CallsPanel } from './CallsPanel.tsx';
import './CorrectionList.css';

const MAX_SHOWN = 20;

/** What administrators put right of the recent calls, newest first; nothing while there is none. */
export function CorrectionList() {
  const calls = board.value.data?.calls ?? [];
  const corrections = calls
    .flatMap((call) => call.corrections.map((correction, index) => ({ call, correction, index })))
    .sort((a, b) => Date.parse(b.correction.at) - Date.parse(a.correction.at))
    .slice(0, MAX_SHOWN);
  if (corrections.length === 0) return null;
  return (
    <CallsPanel title="Corrections" className="correction-panel">
      <ul className="correction-list">
        {corrections.map(({ call, correction, index }) => (
          <li key={`${call.publicId} ${index}`}>
            <p>
              <strong>{call.symbol}</strong> of {call.submittedBy.display}: {correction.reason}
            </p>
            <p className="correction-changes">{correction.changes.map(formatChange).join('; ')}</p>
            <p className="correction-by">
              {correction.by.display}, {formatMoment(correction.at)}
            </p>
          </li>
        ))}
      </ul>
    </CallsPanel>
  );
}
