import { type ReactNode, useCallback, useState } from 'react';
import { EmptyState } from '#ui/EmptyState.tsx';
import { NativeSelect } from '#ui/Field.tsx';
import { Page } from '#ui/Page.tsx';
import { Pill } from '#ui/Pill.tsx';
import type { Known } from '#lib/contract/fields.ts';
import { DASH, formatNumber } from '#texts/format.ts';
import { readerOf, request } from '#web/api/client.ts';
import { navigate, useScreenTitle } from '#web/router/navigate.ts';
import { CALLS_PATH } from '#web/router/routes.ts';
import { ranksAnswer } from '../answers/board.ts';
import { againstMarketOf, sourceLabel } from '../rules/callFormat.ts';
import { MIN_RANK_DAYS } from '../rules/rankBounds.ts';
import { quarterName } from '../rules/quarter.ts';
import {
  CopyLink,
  CountingRules,
  FetchedBody,
  PageHead,
  RANKS_PATH,
  RecordLink,
  useFetched,
} from './parts/pageParts.tsx';
import { ResultText } from './parts/ResultText.tsx';

import './league.css';

type Ranks = Known<typeof ranksAnswer>;

const ALL = 'overall';

const fetchRanks = (quarter: string | null): Promise<Ranks> =>
  request('GET /api/calls/ranks', {
    query: quarter === null ? {} : { quarter },
    read: readerOf(ranksAnswer),
  });

const pathOf = (quarter: string): string => (quarter === ALL ? RANKS_PATH : `${RANKS_PATH}/${quarter}`);

/** '3', '7 provisional', '8 of 10 days' if these are too few, or a dash. */
function rankText({ rank, provisionalRank, days }: Ranks['leaderboard'][number]['metrics']): string {
  if (rank !== null) return String(rank);
  if (provisionalRank !== null) return `${provisionalRank} provisional`;
  return (days ?? 0) < MIN_RANK_DAYS ? `${days ?? 0} of ${MIN_RANK_DAYS} days` : DASH;
}

function RankTable({ ranks: { leaderboard }, title }: { ranks: Ranks; title: string }): ReactNode {
  if (leaderboard.length === 0) return <EmptyState>No calls were posted in this time.</EmptyState>;
  return (
    // Focusable, so that it can be scrolled by keyboard.
    <div className="rank-table" role="region" aria-label={title} tabIndex={0}>
      <table className="data-table full-width">
        <thead>
          <tr>
            <th scope="col">Submitter</th>
            <th scope="col">Rank</th>
            <th scope="col" className="is-number">
              Against the market
            </th>
            <th scope="col" className="is-number">
              Result
            </th>
            <th scope="col" className="is-number">
              Cases
            </th>
            <th scope="col" className="is-number">
              Still open
            </th>
          </tr>
        </thead>
        <tbody>
          {leaderboard.map(({ submitter: { display }, metrics }) => (
            <tr key={display}>
              <th scope="row">
                <RecordLink name={display} inTabOrder />
              </th>
              <td>{rankText(metrics)}</td>
              <td className="is-number">
                <ResultText percent={againstMarketOf(metrics)} />
              </td>
              <td className="is-number">
                <ResultText percent={metrics.averageVerified} />
              </td>
              <td className="is-number">{formatNumber(metrics.verified, 0)}</td>
              <td className="is-number">{formatNumber((metrics.open ?? 0) + (metrics.pending ?? 0), 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** @param quarter null for the ranks of all calls */
export function RanksPage({ quarter }: { quarter: string | null }): ReactNode {
  const { state, retry } = useFetched(
    useCallback(() => fetchRanks(quarter), [quarter]),
    'The ranks could not be loaded. Try again.',
  );
  const title = quarter === null ? 'Ranks, overall' : `Ranks, ${quarterName(quarter)}`;
  useScreenTitle(title);
  const known = state.kind === 'known' ? state.data : null;
  // The choice stays while other ranks load, so that it keeps the focus.
  const [last, setLast] = useState(known);
  if (known !== null && known !== last) setLast(known);
  const notes = last && (
    <>
      <NativeSelect
        label="Time"
        hideLabel
        value={quarter ?? ALL}
        onChoose={(chosen) => navigate(pathOf(chosen))}
        options={[
          { id: ALL, label: 'Overall' },
          ...quartersShown(last, quarter).map((one) => ({ id: one, label: quarterName(one) })),
        ]}
      />
      <Pill>{sourceLabel(last.source)}</Pill>
    </>
  );
  return (
    <Page>
      <PageHead title={title} back={{ to: CALLS_PATH, label: 'All calls' }} notes={notes}>
        <CopyLink path={pathOf(quarter ?? ALL)} />
      </PageHead>
      <FetchedBody state={state} retry={retry}>
        {(ranks) => (
          <>
            <RankTable ranks={ranks} title={title} />
            {quarter !== null && (
              <p className="muted prose">
                A call belongs to the quarter in which it was posted, by Sydney’s calendar, also if it ends
                later. So ranks of a past quarter change until its calls have ended.
              </p>
            )}
            <CountingRules />
            <p className="muted">
              Past results do not predict future results. General information only, not financial advice.
            </p>
          </>
        )}
      </FetchedBody>
    </Page>
  );
}

/** The listed quarters, and the shown one if an old link names another. */
const quartersShown = ({ quarters }: Ranks, shown: string | null): readonly string[] =>
  shown === null || quarters.includes(shown) ? quarters : [...quarters, shown];
