import { type ReactNode, useRef, useState } from 'react';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { counted, formatNumber, formatShortDate } from '#texts/format.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { messageOf } from '#web/api/client.ts';
import { LateConfirm } from '#web/shared/lateStyles.ts';
import { oddsPath } from '#web/shared/oddsPath.ts';
import type { Loaded } from '#web/shared/useLoaded.ts';
import { exitText, percentText } from '../../rules/oddsText.ts';
import { narrowedText } from '../oddsSubject.ts';
import { deleteSavedOdds, type fetchSavedOdds, type SavedOdds } from '../oddsRequests.ts';
import { Percent } from './pictures.tsx';

type SavedList = Loaded<Awaited<ReturnType<typeof fetchSavedOdds>>>;

type SavedSectionProps = {
  list: SavedList;
  saved: readonly SavedOdds[];
  title: string;
  /** Whether names lead to the odds. */
  isLinked: boolean;
  children?: ReactNode;
};

/** Scans whose entries are collected from the day they were saved. */
export function SavedSection({ list, saved, title, isLinked, children }: SavedSectionProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const [doomed, setDoomed] = useState<SavedOdds | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async ({ id }: SavedOdds) => {
    setDoomed(null);
    setFailure(null);
    try {
      await deleteSavedOdds(id);
      if (list.data) list.set({ ...list.data, saved: list.data.saved.filter((one) => one.id !== id) });
      // The button that had the focus disappears.
      heading.current?.focus();
    } catch (problem) {
      setFailure(messageOf(problem, 'The saved odds could not be deleted. Try again.'));
    }
  };
  return (
    <section className="stack gap-2" aria-labelledby="odds-saved">
      <h2 id="odds-saved" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
      <SavedNotes list={list} />
      {saved.length > 0 && (
        <StackedTable label={title}>
          <thead>
            <tr>
              <th scope="col">Scan</th>
              <th scope="col">Saved</th>
              <th scope="col" className="is-number">
                Mean after costs
              </th>
              <th scope="col" className="is-number">
                Winners
              </th>
              <th scope="col" className="is-number">
                Entries
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {saved.map((one) => (
              <SavedRow key={one.id} saved={one} isLinked={isLinked} onDelete={() => setDoomed(one)} />
            ))}
          </tbody>
        </StackedTable>
      )}
      {children}
      {doomed && (
        <LateConfirm
          open
          title="Delete these saved odds?"
          action="Delete"
          onConfirm={() => void remove(doomed)}
          onCancel={() => setDoomed(null)}
        >
          <p>
            The entries that were collected since {formatShortDate(dayOf(doomed), dayOf(doomed))} are deleted
            too.
          </p>
        </LateConfirm>
      )}
    </section>
  );
}

const detailText = ({ scan, settings }: SavedOdds): string =>
  [scan && narrowedText(scan), settings && exitText(settings.exit)]
    .filter((text) => text !== null)
    .join(', ');

const dayOf = ({ saved_at: savedAt }: SavedOdds): string => sydneyDate(Date.parse(savedAt));

type SavedRowProps = { saved: SavedOdds; isLinked: boolean; onDelete(): void };

function SavedRow({ saved, isLinked, onDelete }: SavedRowProps): ReactNode {
  const { name, scan, subject, result, sessions, problem } = saved;
  const all = result?.all;
  return (
    <tr>
      <th scope="row">
        {isLinked && scan !== null ? (
          <a className="touch" href={`#${oddsPath({ scan, name, ...(subject !== '' && { subject }) })}`}>
            {name}
          </a>
        ) : (
          name
        )}
        <p className="cell-note">{detailText(saved)}</p>
        {problem !== null && <p className="warn-text">{problem}</p>}
      </th>
      <td data-heading="Saved">
        {formatShortDate(dayOf(saved), dayOf(saved))},{' '}
        {sessions === 0 ? 'no session yet' : counted(sessions ?? 0, 'session')}
      </td>
      <td data-heading="Mean after costs" className="is-number">
        <Percent of={all?.mean ?? null} />
      </td>
      <td data-heading="Winners" className="is-number">
        {all?.winners == null ? percentText(null) : `${formatNumber(all.winners, 0)}%`}
      </td>
      <td data-heading="Entries" className="is-number">
        {formatNumber(all?.entries ?? 0, 0)}
      </td>
      <td data-heading="Actions">
        <Button variant="quiet" aria-label={`Delete the saved odds of ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </td>
    </tr>
  );
}

/** What loads before the table, or instead of it. */
function SavedNotes({ list: { data, error, reload } }: { list: SavedList }): ReactNode {
  if (error !== null) return <RetryBanner onRetry={reload}>{error}</RetryBanner>;
  return data === null && <SkeletonRows rows={2} label="Loading the saved odds…" />;
}
