import type { ReactNode } from 'react';
import { calendarEvents, isStreamLost, retryLive } from '../../../../../web/live/market.ts';
import { STREAM_FAILED } from '../../../../../web/live/useStreamFailure.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { source } from '../calendarSource.ts';
import { momentText } from '../eventTexts.ts';
import { zoneLabel } from '../timeZones.ts';

const SOURCE_PROBLEM = 'The calendar’s source reports a problem.';

type CalendarNoticesProps = {
  /** An IANA name. */
  zone: string;
  /** Opens the stream anew, when its first word can't be had; null otherwise. */
  retryStream: (() => void) | null;
};

/** What is wrong with the stream or the source, and how old what is shown therefore is. */
export function CalendarNotices({ zone, retryStream }: CalendarNoticesProps): ReactNode {
  return (
    <div className="calendar-notices">
      {retryStream !== null && (
        <Banner action={<Button onClick={retryStream}>Retry</Button>}>{STREAM_FAILED}</Banner>
      )}
      {retryStream === null && isStreamLost.value && (
        <Banner variant="warn" action={<Button onClick={retryLive}>Retry</Button>}>
          Connection lost: figures released meanwhile are missing. Reconnecting…
        </Banner>
      )}
      <SourceProblem zone={zone} />
    </div>
  );
}

function SourceProblem({ zone }: { zone: string }): ReactNode {
  const known = source.value;
  if (known === null || known.healthy) return null;
  const { problem, lastUpdate } = known;
  const isOld = calendarEvents.value.size > 0 && lastUpdate !== null;
  return (
    <Banner variant="warn">
      {problem ?? SOURCE_PROBLEM}{' '}
      {isOld && `Shown as of ${momentText(lastUpdate, zone)} (${zoneLabel(zone)}). `}
      Trying again.
    </Banner>
  );
}
