import { formatMoment } from '../../../../texts/moment.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import type { Offer } from './readUpdate.ts';

const SHOWN = 20;

/** What an update would bring: commits, or a release's notes. */
export function UpdateOffer({ offer }: { offer: Offer }) {
  const { version, commit, commits, count, notes, takenBack } = offer;
  const shown = commits.slice(0, SHOWN);
  const more = Math.max(count, commits.length) - shown.length;
  const title = version ? `Version ${version}` : `Commit ${commit?.slice(0, 12) ?? 'unknown'}`;
  return (
    <section className="update-offer" aria-label="What is new">
      <p>
        <strong>{title}</strong> can be installed
        {count > 0 && `: ${count} new ${count === 1 ? 'commit' : 'commits'}`}.
      </p>
      {takenBack && (
        <Banner variant="warn">
          This version was rolled back
          {takenBack.at !== null && ` on ${formatMoment(takenBack.at)}`}
          {takenBack.reason ? `: ${takenBack.reason}` : '.'} It may fail the same way.
        </Banner>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map(({ commit: id, subject }) => (
            <li key={id}>
              <code>{id.slice(0, 8)}</code> {subject}
            </li>
          ))}
          {more > 0 && <li className="muted">and {more} more</li>}
        </ul>
      )}
      {notes !== null && <pre className="update-notes">{notes}</pre>}
    </section>
  );
}
