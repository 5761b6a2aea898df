import { type Difference, differences } from '../../rules/differences.ts';
import { DASH } from '../../../../texts/format.ts';
import { SYDNEY } from '../../../../market/rules/sydneyTime.ts';
import { formatMoment } from '../../../../texts/moment.ts';
import type { AuditEntry } from './useAudit.ts';
import './AuditRow.css';

/** A kind of action as a heading has it: 'edit user' as 'Edit user'. */
export const actionText = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

/** One action: when, who, what, to what, what differs, and why. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { shown, more } = differences(entry.before, entry.after);
  return (
    <tr className="audit-row">
      <td data-heading="When">
        <When at={entry.at} />
      </td>
      <td data-heading="Who">{entry.by?.display ?? 'The server'}</td>
      <th scope="row">{actionText(entry.action)}</th>
      <td data-heading="To">{entry.target}</td>
      <td data-heading="Before and after">
        {shown.length === 0 ? (
          DASH
        ) : (
          <ul>
            {shown.map((difference) => (
              <Change key={difference.what} difference={difference} />
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
        )}
      </td>
      <td data-heading="Reason">{entry.reason ?? DASH}</td>
    </tr>
  );
}

/** In Sydney, and where the viewer is when that is elsewhere. */
function When({ at }: { at: string | null }) {
  const sydney = formatMoment(at, SYDNEY);
  const here = formatMoment(at);
  return (
    <>
      <time dateTime={at ?? undefined}>{sydney} Sydney</time>
      {here !== sydney && <p className="record-note">{here} here</p>}
    </>
  );
}

function Change({ difference: { what, before, after } }: { difference: Difference }) {
  const name = what === '' ? '' : `${what}: `;
  if (before === null) {
    return (
      <li>
        {name}
        <ins>{after}</ins>
      </li>
    );
  }
  return (
    <li>
      {name}
      <del>{before}</del>
      {after !== null && (
        <>
          {' → '}
          <ins>{after}</ins>
        </>
      )}
    </li>
  );
}
