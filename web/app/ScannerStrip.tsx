import { computed } from '@preact/signals-react';
import SkipIcon from 'lucide-react/icons/skip-forward';
import { useEffect, useRef, useState } from 'react';
import { lastSessionMessage, marketLabel, phaseAt } from '#market/rules/sessionClock.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { highImpactSoon } from '#subjects/calendar/rules/nextEvent.ts';
import { skipTarget, skipTime } from '#subjects/replay/web/shared/skipTime.ts';
import { useCalendarNow } from '#subjects/calendar/web/shared/calendarClock.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { MINUTE_MS } from '#lib/units.ts';
import {
  calendarEvents,
  isStreamBack,
  isStreamLost,
  marketNow,
  meta,
  silentSeconds,
  streamState,
} from '../live/market.ts';
import { feedLabel, hasOwnTime } from '../live/FeedPill.tsx';
import { arePricesOld } from '../live/marketHours.ts';
import { ageText } from '../live/staleness.ts';
import type { Connection } from '../live/stream/protocol.ts';
import { isPopup } from '../windows/popup.ts';
import { route } from '../router/router.ts';
import { CALENDAR_PATH, LOGIN_PATH, MARKET_PATH, needsLogin, TAB_ROUTES } from '../router/routes.ts';
import { late } from '../shared/lateStyles.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import { useWidthQuery } from '../ui/useWidthQuery.ts';

/** A signal of its own, so that this does not render with every tick. */
const sessionDate = computed(() => meta.value?.dateToday);

const SoonNote = late(() =>
  import('#subjects/calendar/web/shared/SoonNote.tsx').then((code) => code.SoonNote),
);

/** Update interval, ms (specification, section 9). */
const REFRESH_MS = 5000;

const STREAM_LABELS: Record<Connection, string> = {
  live: 'Live',
  reconnecting: 'Reconnecting…',
  disconnected: 'Disconnected',
  connecting: 'Connecting…',
};

const MARKET_TONES: Record<ReturnType<typeof marketLabel>, string> = {
  Intraday: 'up',
  'Pre-Open': 'stale',
  'Off-Hours': 'none',
};
const STREAM_TONES: Record<Connection, string> = {
  live: 'up',
  reconnecting: 'stale',
  disconnected: 'down',
  connecting: 'stale',
};

/** Tabs of the scanners (not in a popup), and the status of market, source and stream. */
export function ScannerStrip() {
  return (
    <div className={arePricesOld.value ? 'strip is-old' : 'strip'}>
      {!isPopup && <Tabs />}
      <section className="strip-state" aria-label="Market and stream status">
        <Soon />
        <MarketStatus />
        <ClosingAuction />
        <LastSession />
        <FeedNature />
        <StreamStatus />
      </section>
    </div>
  );
}

function Tabs() {
  const { accessLevel } = session.value;
  const shown = route.value;
  const current = useRef<HTMLAnchorElement>(null);
  // On a phone the tabs are wider than the screen. The braces are needed because scrollIntoView returns a promise in
  // newer browsers, which is no clean-up function.
  useEffect(() => {
    void current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
  return (
    <nav className="tabs" aria-label="Scanners">
      {TAB_ROUTES.map((tab) => {
        const isLocked = needsLogin(tab, accessLevel);
        const link = (
          <a
            key={tab.path}
            ref={tab === shown ? current : undefined}
            className="tab"
            href={`#${isLocked ? LOGIN_PATH : tab.path}`}
            aria-current={tab === shown ? 'page' : undefined}
          >
            {tab.title}
          </a>
        );
        return isLocked ? (
          <Tooltip key={tab.path} text="Login to access scanners">
            {link}
          </Tooltip>
        ) : (
          link
        );
      })}
    </nav>
  );
}

const clockCourse = computed(
  () =>
    meta.value &&
    `${meta.value.replay?.jumps} ${meta.value.clockSpeed} ${Math.round(meta.value.clockOffsetMs / MINUTE_MS)}`,
);
const feedTitle = computed(() => {
  const feed = meta.value?.feed;
  if (feed?.problem) return feed.problem;
  if (!hasOwnTime.value) return `Source: ${feed?.name}`;
  return `Source: simulator, showing ${formatDate(sydneyDate(marketNow()))}`;
});
const isFeedHealthy = computed(() => meta.value?.feed?.healthy ?? true);

/** The market's time, updated every 5 s, and when the clock becomes known, jumps or stops. */
function useMarketNow(): number {
  const [now, setNow] = useState(marketNow);
  const course = clockCourse.value;
  useEffect(() => {
    const read = () => setNow(marketNow());
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => clearInterval(timer);
  }, [course]);
  return now;
}

/** The market status. A phone's line is too low for a link or a button. */
function MarketStatus() {
  const now = useMarketNow();
  const isPhone = useWidthQuery('phone');
  const label = marketLabel(now);
  const className = `state dot tone-${MARKET_TONES[label]}`;
  const content = (
    <>
      <span className="state-label">{label}</span>
      <span className="state-detail">
        {formatTime(now)}
        <span className="phone-hidden"> Sydney</span>
      </span>
    </>
  );
  if (isPopup || isPhone) {
    return (
      <span className={className} title="Market status and time in Sydney">
        {content}
      </span>
    );
  }
  return (
    <a
      className={`${className} state-link`}
      href={`#${MARKET_PATH}`}
      title="Market status and time in Sydney: open the market overview"
    >
      {content}
    </a>
  );
}

/** HIGH impact AUD events of the next hour. The code loads only if there is one. */
function Soon() {
  const events = highImpactSoon(calendarEvents.value.values(), useCalendarNow());
  const isPhone = useWidthQuery('phone');
  return events.length > 0 && <SoonNote events={events} to={isPopup || isPhone ? null : CALENDAR_PATH} />;
}

/** Shown from the end of continuous trading to the closing auction, for which the market status has no label. */
function ClosingAuction() {
  const isOn = phaseAt(useMarketNow()).phase === 'pre-cspa';
  return (
    isOn && (
      <span
        className="state dot"
        title="Orders are being collected for the closing auction. If the source provides it, the Ind. Close column shows the price so far."
      >
        <span className="state-label">Closing auction</span>
      </span>
    )
  );
}

/** Shown overnight and on days without trading: the session whose prices are in the tables. */
function LastSession() {
  const now = useMarketNow();
  const date = sessionDate.value;
  const message = date === undefined ? null : lastSessionMessage(date, now);
  return message === null ? null : (
    <span className="state-session" title="Tables show this session until the next pre-open">
      <span className="state-label">{message}</span>
    </span>
  );
}

function FeedNature() {
  const isPhone = useWidthQuery('phone');
  const target = skipTarget.value;
  if (feedLabel.value === null) return null;
  return (
    <span className={isFeedHealthy.value ? 'state-feed' : 'state-feed tone-stale'} title={feedTitle.value}>
      {target !== null && !isPhone ? (
        <SkipButton target={target} />
      ) : (
        <span className="state-label">{feedLabel.value}</span>
      )}
    </span>
  );
}

function SkipButton({ target }: { target: 'pre-open' | 'open' }) {
  const words = `: go to the ${target}`;
  return (
    <button
      type="button"
      className="state-label"
      aria-label={`${feedLabel.value}${words}`}
      onClick={() => void skipTime(target)}
    >
      <span>
        {feedLabel.value}
        <span className="skip-words">{words}</span>
      </span>
      <SkipIcon size={14} aria-hidden />
    </button>
  );
}

function StreamStatus() {
  const now = streamState.value;
  return (
    <span
      className={`state state-stream dot tone-${STREAM_TONES[now]}`}
      title="Connection to the data stream"
    >
      <span className="state-label">{STREAM_LABELS[now]}</span>
      <SilenceAge />
      <span className="state-back" role="status">
        {isStreamLost.value ? (
          <span className="visually-hidden">No data from the server: prices are frozen.</span>
        ) : (
          isStreamBack.value && 'Back'
        )}
      </span>
    </span>
  );
}

function SilenceAge() {
  const seconds = silentSeconds.value;
  return (
    seconds !== null && (
      <span className="state-age" title="Time since the server last sent data">
        {seconds < 60 ? `${seconds} s` : ageText(seconds * 1000)}
      </span>
    )
  );
}
