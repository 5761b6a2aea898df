import type { ReactNode } from 'react';
import {
  formatAlike,
  formatCallPrice,
  formatReached,
  formatType,
  sourceLabel,
  stopWords,
} from '#subjects/calls/rules/callFormat.ts';
import { formatMoment } from '#texts/format.ts';
import { reviewText } from '#subjects/calls/rules/resultText.ts';
import { claimText, type Status, statusOf, statusText } from '#subjects/calls/rules/callStatus.ts';
import { haltText } from '#market/rules/stockState.ts';
import { Button } from '#ui/Button.tsx';
import { stocks } from '#web/live/market.ts';
import { callPath, CopyLink } from './pageParts.tsx';
import { LoadedLife } from '../timeline/TimelineView.tsx';
import { administers } from '#web/shared/settings.ts';
import { correct, type RecentRow } from '../state.ts';
import { OwnEnd } from './endCall.tsx';
import { CallSize } from '../CallSize.tsx';
import { FollowButton, MuteButton } from '../follow.tsx';
import { isOwnLive } from './recentColumns.tsx';

export function RecentDetail({ row: { call, last } }: { row: RecentRow }) {
  const status = statusOf(call, last);
  const [entry, target] = formatAlike(call.entryPrice, call.targetPrice);
  const isReached = call.targetReached !== null || call.stopReached !== null;
  return (
    <div className="calls-row-detail recent-detail stack gap-2 table-text break-words pad-2-3">
      {isOwnLive(call) && <OwnEnd publicId={call.publicId} />}
      <p>{call.rationale ?? 'No rationale given.'}</p>
      <p>
        {formatType(call)} {call.symbol} at {entry}, target {target}, {stopWords(call)}; posted by{' '}
        {call.submittedBy.display} on {formatMoment(call.submittedAt)}. Source: {sourceLabel(call.source)}.
      </p>
      {claimText(call) !== '' && (
        <p>
          The price was {formatCallPrice(call.priceAtSubmission)} when it was posted, more than 5% away from
          the claimed entry.
        </p>
      )}
      {status && <StatusNow call={call} status={status} />}
      {isReached && <p>{formatReached(call)}.</p>}
      {call.isInReview && <p>{reviewText({ status: 'review', reason: call.reviewReason ?? null })}</p>}
      <LoadedLife publicId={call.publicId} />
      <div className="row gap-3">
        <a href={`#${callPath(call.publicId)}`}>Open this call as a page</a>
        <CopyLink path={callPath(call.publicId)} />
        <FollowButton name={call.submittedBy.display} />
        <MuteButton name={call.submittedBy.display} symbol={call.symbol} />
        {administers.value && (
          <Button
            aria-label={`Correct ${call.symbol} by ${call.submittedBy.display}`}
            onClick={() => correct(call)}
          >
            Correct
          </Button>
        )}
        <CallSize call={call} last={last} />
      </div>
    </div>
  );
}

function StatusNow({ call, status }: { call: RecentRow['call']; status: Status }): ReactNode {
  const stock = stocks.value.get(call.symbol) ?? null;
  return <p>{statusText(status, haltText(call.symbol, stock))}.</p>;
}
