import type { ReactNode } from 'react';
import { formatAlike, formatStatus, formatType, stopWords } from '#subjects/calls/rules/callFormat.ts';
import { formatMoment } from '#texts/format.ts';
import { haltText, livePrice } from '#market/rules/stockState.ts';
import { statusOf, statusText } from '#subjects/calls/rules/callStatus.ts';
import { reviewText } from '#subjects/calls/rules/resultText.ts';
import { VERIFIED_RULE } from '#subjects/calls/rules/rankBounds.ts';
import { CALLS_PATH } from '#web/router/routes.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useScreenTitle } from '#web/router/navigate.ts';
import { Page } from '#ui/Page.tsx';
import { Pill } from '#ui/Pill.tsx';
import { callPath, recordPath, CopyLink, PageHead, FetchedBody } from '../parts/pageParts.tsx';
import { sourceLabel } from '../../rules/callFormat.ts';
import { CallSize } from '../CallSize.tsx';
import { FollowButton, MuteButton } from '../follow.tsx';
import { TimelineView, type Timeline, useLife, useCallStock } from './TimelineView.tsx';

export function CallPage({ publicId }: { publicId: string }): ReactNode {
  const { state, retry } = useLife(publicId);
  const timeline = state.kind === 'known' ? state.data : null;
  const call = timeline?.call ?? null;
  useScreenTitle(call && `${call.symbol} call by ${call.submittedBy.display}`);
  return (
    <Page>
      <PageHead
        title={call ? `${call.symbol} call` : 'Call'}
        back={{ to: CALLS_PATH, label: 'All calls' }}
        notes={
          timeline && (
            <>
              <Pills timeline={timeline} />
              <ZoneNote />
            </>
          )
        }
      >
        {call && (
          <>
            <FollowButton name={call.submittedBy.display} />
            <MuteButton name={call.submittedBy.display} symbol={call.symbol} />
            <CopyLink path={callPath(publicId)} />
          </>
        )}
      </PageHead>
      <FetchedBody state={state} retry={retry}>
        {(known) => <CallBody timeline={known} />}
      </FetchedBody>
    </Page>
  );
}

const Pills = ({ timeline: { call, review } }: { timeline: Timeline }): ReactNode => (
  <>
    {call.isShort && <Pill>Short</Pill>}
    <Pill>{formatStatus(call.status)}</Pill>
    {call.stopReached !== null && <Pill variant="down">Stopped</Pill>}
    {review !== null && (
      <Pill variant={review.status === 'review' ? 'warn' : 'down'}>
        {review.status === 'review' ? 'In review' : 'Rejected'}
      </Pill>
    )}
    <Pill>{sourceLabel(call.source)}</Pill>
  </>
);

const CallBody = ({ timeline }: { timeline: Timeline }): ReactNode => {
  const { call, review } = timeline;
  const { display } = call.submittedBy;
  return (
    <>
      <p>
        {termsText(call)}; posted by <a href={`#${recordPath(display)}`}>{display}</a> on{' '}
        {formatMoment(call.submittedAt)}.
      </p>
      {review !== null && <p>{reviewText(review)}</p>}
      <StatusNow call={call} />
      {call.rationale !== null && <blockquote className="marked">{call.rationale}</blockquote>}
      <TimelineView timeline={timeline} />
      <p className="muted">{VERIFIED_RULE} General information only, not financial advice.</p>
    </>
  );
};

/** Describes a call's terms: 'Bought BHP at 40.00, target 44.50, stop trailing 2% below the high'. */
function termsText(call: Timeline['call']): string {
  const [entry, target] = formatAlike(call.entryPrice, call.targetPrice);
  return `${formatType(call)} ${call.symbol} at ${entry}, target ${target}, ${stopWords(call)}`;
}

function StatusNow({ call }: { call: Timeline['call'] }): ReactNode {
  const stock = useCallStock(call);
  const last = livePrice(stock ?? undefined);
  const status = statusOf(call, last);
  return (
    <>
      {status && <p>{statusText(status, haltText(call.symbol ?? '', stock))}.</p>}
      <div className="row">
        <CallSize call={call} last={last} />
      </div>
    </>
  );
}
