import { type ReactNode, type RefObject, useEffect, useId, useState, useRef } from 'react';
import { type CalendarEvent, hasFigure } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { canBeNotified } from '#subjects/calendar/rules/reminderMessage.ts';
import { formatExactFigure, surpriseOf, SURPRISES } from '../../rules/figures.ts';
import { settingsPath } from '#web/router/routes.ts';
import { FormError, RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Toggle } from '#ui/Field.tsx';
import { momentText } from '../eventTexts.ts';
import {
  hasNoChat,
  loadReminders,
  findChat,
  NO_REMINDER,
  OFFERS,
  reminderErrors,
  reminders,
  remindersError,
  chooseReminder,
} from '../reminders.ts';
import { zoneOffset } from '../timeZones.ts';
import { zoneLabel } from '#web/shared/zoneNames.ts';
import { MIN_EARLIER } from '../../rules/outcomes.ts';
import { isMissing, readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { Known } from '#lib/contract/fields.ts';
import { historyAnswer } from '../../answers/calendar.ts';
import { choices, choose } from '../calendarState.ts';
import { WholeMarketWatch } from '#web/live/useWatch.tsx';
import {
  companyName,
  isLiveSymbol,
  searchLiveSymbols,
  SymbolBox,
} from '#subjects/stock/web/shared/SymbolBox.tsx';
import type { MoveState } from '../../rules/marketMoves.ts';
import { StackedTable } from '#ui/StackedTable.tsx';
import { Trend } from '#ui/Trend.tsx';
import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';
import { counted, DASH, formatSigned } from '#texts/format.ts';

type EventHistory = Known<typeof historyAnswer>;
type PastRelease = EventHistory['releases'][number];

/** Fetches the last releases of a series, newest first. @param symbol of an additional stock; null for none */
const fetchHistory = (eventId: string, symbol: string | null): Promise<EventHistory> =>
  request('GET /api/calendar/events/:eventId/history', {
    params: { eventId },
    query: symbol === null ? {} : { symbol },
    read: readerOf(historyAnswer),
  });

/** Formats dates of releases: '26 Nov 2026'. @param zone an IANA name */
function releaseDates(zone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return (time) => format.format(Date.parse(time));
}

/** Texts on why there is no number. */
const STATE_TEXTS: Readonly<Record<Exclude<MoveState, 'measured'>, string>> = {
  shut: 'market closed',
  pending: 'not yet',
  blind: 'no prices',
  unknown: DASH,
  otherClock: DASH,
};

/** '+0.12%'. */
const percentText = (change: number): string => `${formatSigned(change, 2)}%`;

function moveText(move: { state: MoveState | null; change: number | null } | null): string {
  if (move === null || move.state === null) return DASH;
  if (move.state !== 'measured') return STATE_TEXTS[move.state];
  return move.change === null ? DASH : percentText(move.change);
}

/** '31 up, 15 down of 50'; a dash if nothing was measured. */
function breadthText(move: PastRelease['after5']): string {
  return move?.state === 'measured' ? `${move.up} up, ${move.down} down of ${move.counted}` : DASH;
}

/** Difference from the consensus: '+0.3%', '+12.0K'. */
function differenceText({ surprise, potency }: PastRelease, unit: string | null): string {
  if (surprise === null || surprise.difference === null) return DASH;
  const text = formatExactFigure(surprise.difference, { unit, potency });
  return surprise.difference > 0 ? `+${text}` : text;
}

/** '+1.4 σ'; null if the spread is unknown. */
const sigmaText = ({ surprise }: PastRelease): string | null =>
  surprise === null || surprise.sigma === null ? null : `${formatSigned(surprise.sigma, 1)} σ`;

/** A sentence for screen readers: 'Better than consensus, +1.4 standard deviations'. */
function surpriseSentence(release: PastRelease, unit: string | null): string {
  const { surprise } = release;
  if (surprise === null || surprise.side === null) return 'There was no consensus';
  const size =
    surprise.sigma === null
      ? differenceText(release, unit)
      : `${formatSigned(surprise.sigma, 1)} standard deviations`;
  return `${SURPRISES[surprise.side].text}, ${size}`;
}

type Average = EventHistory['averages'][number];
/** '+0.12% (6 cases)'; a dash for none. */
function meanText(mean: Average['after5']): string {
  if (mean === null || mean.mean === null) return DASH;
  return `${percentText(mean.mean)} (${counted(mean.cases, 'case')})`;
}

/** Label of an average: 'On average', 'After better than consensus', 'After above consensus'. */
function averageLabel({ of }: Average, releases: readonly PastRelease[]): string {
  if (of === 'all' || of === null) return 'On average';
  const sides = releases.map(({ surprise }) => surprise?.side ?? null);
  const isJudged = sides.includes('better') || sides.includes('worse');
  const up = isJudged ? 'better than consensus' : 'above consensus';
  const down = isJudged ? 'worse than consensus' : 'below consensus';
  return `After figures ${of === 'up' ? up : down}`;
}

const SLOT = 40;
const BAND = 44;
const GAP = 10;
const HALF = BAND / 2;
const BAR = 16;
/** Minimum height of a bar, so that every nonzero value is visible. */
const MIN_HEIGHT = 2;

/** A picture of the releases, oldest first: surprises above, the market reaction after 30 minutes below. */
function HistoryPicture({ history, zone }: { history: EventHistory; zone: string }): ReactNode {
  const shown = history.releases.toReversed();
  const surprises = scaled(shown.map(sizeOf(shown)));
  const moves = scaled(shown.map(({ after30 }) => after30?.change ?? null));
  if (surprises.every((one) => one === null) && moves.every((one) => one === null)) return null;
  const width = shown.length * SLOT;
  return (
    <figure className="history-picture">
      <figcaption className="muted small">
        <span>Surprise</span>
        <span>Market, 30 min</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${2 * BAND + GAP}`}
        style={{ maxWidth: width }}
        role="img"
        aria-label={sentenceOf(shown, history.unit, zone)}
      >
        <Band heights={surprises} top={0} width={width} />
        <Band heights={moves} top={BAND + GAP} width={width} />
      </svg>
    </figure>
  );
}

/** Size of a surprise: in standard deviations if all releases have them, otherwise the difference. */
const sizeOf = (releases: readonly PastRelease[]) => {
  const surprises = releases.flatMap(({ surprise }) => surprise ?? []);
  const hasSigma = surprises.every(({ sigma }) => sigma !== null);
  return ({ surprise }: PastRelease): number | null =>
    surprise === null ? null : hasSigma ? surprise.sigma : surprise.difference;
};

/** Scales values to the range −1 to 1. */
function scaled(values: readonly (number | null)[]): (number | null)[] {
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  return values.map((value) => (value === null ? null : largest === 0 ? 0 : value / largest));
}

type BandProps = { heights: readonly (number | null)[]; top: number; width: number };

const Band = ({ heights, top, width }: BandProps): ReactNode => (
  <g>
    <line stroke="var(--line-strong)" x1={0} x2={width} y1={top + HALF} y2={top + HALF} />
    {heights.map((height, index) => (
      // The position is the key, because bars have no other identity.
      <Bar key={index} height={height} left={index * SLOT + (SLOT - BAR) / 2} middle={top + HALF} />
    ))}
  </g>
);

function Bar({ height, left, middle }: { height: number | null; left: number; middle: number }): ReactNode {
  // An empty ring means unknown, a line means no move.
  if (height === null) return <circle className="history-unknown" cx={left + BAR / 2} cy={middle} r={2.5} />;
  const size = Math.max(MIN_HEIGHT, Math.abs(height) * (HALF - 1));
  const tone = height === 0 ? 'muted' : height > 0 ? 'up' : 'down';
  return (
    <rect
      className={tone}
      fill="currentcolor"
      x={left}
      y={height > 0 ? middle - size : height === 0 ? middle - size / 2 : middle}
      width={BAR}
      height={size}
    />
  );
}

/** Text alternative of the picture, for screen readers. */
function sentenceOf(releases: readonly PastRelease[], unit: string | null, zone: string): string {
  const dateOf = releaseDates(zone);
  const rows = releases.map(
    (release) =>
      `${dateOf(release.time)}: ${surpriseSentence(release, unit)}; market: ${moveText(release.after30)}`,
  );
  return `Surprises and the market 30 minutes later, oldest first. ${rows.join('. ')}.`;
}

/** The releases as a table, newest first. */
function HistoryTable({ history, zone, table }: KnownProps): ReactNode {
  const { releases, symbol } = history;
  const dateOf = releaseDates(zone);
  return (
    <div className="history-scroll" tabIndex={0} role="region" aria-label="Earlier figures, table">
      <StackedTable ref={table} className="history-table" label="Earlier figures and market reactions">
        <thead>
          <tr>
            <th scope="col">Released</th>
            <th scope="col">Actual</th>
            <th scope="col">Consensus</th>
            <th scope="col">Surprise</th>
            <th scope="col">Market +5 min</th>
            <th scope="col">Market +30 min</th>
            <th scope="col">Breadth +30 min</th>
            {symbol !== null && <th scope="col">{symbol} +5 min</th>}
            {symbol !== null && <th scope="col">{symbol} +30 min</th>}
          </tr>
        </thead>
        <tbody>
          {releases.map((release) => (
            <Row key={release.time} release={release} date={dateOf(release.time)} history={history} />
          ))}
        </tbody>
      </StackedTable>
    </div>
  );
}

type RowProps = { release: PastRelease; date: string; history: EventHistory };

function Row({ release, date, history: { unit, symbol } }: RowProps): ReactNode {
  const { actual, consensus, corrected, potency, after5, after30, stock5, stock30 } = release;
  const figure = (value: number | null) => formatExactFigure(value, { unit, potency });
  return (
    <tr>
      <th scope="row" data-time={release.time}>
        {date}
      </th>
      <td data-heading="Actual">
        {figure(actual)}
        {corrected !== null && <span className="muted"> later corrected to {figure(corrected)}</span>}
      </td>
      <td data-heading="Consensus">{figure(consensus)}</td>
      <td data-heading="Surprise">
        <Surprise release={release} unit={unit} />
      </td>
      <MoveCell heading="Market +5 min" move={after5} />
      <MoveCell heading="Market +30 min" move={after30} />
      <td data-heading="Breadth +30 min">{breadthText(after30)}</td>
      {symbol !== null && <MoveCell heading={`${symbol} +5 min`} move={stock5} />}
      {symbol !== null && <MoveCell heading={`${symbol} +30 min`} move={stock30} />}
    </tr>
  );
}

function Surprise({ release, unit }: { release: PastRelease; unit: string | null }): ReactNode {
  const sigma = sigmaText(release);
  const side = release.surprise?.side ?? null;
  return (
    <>
      {side !== null && side !== 'asExpected' && (
        <>
          <span aria-hidden="true">{SURPRISES[side].sign} </span>
          <span className="visually-hidden">{SURPRISES[side].text}, </span>
        </>
      )}
      {differenceText(release, unit)}
      {sigma !== null && <strong> {sigma}</strong>}
    </>
  );
}

type MoveCellProps = { heading: string; move: { state: MoveState | null; change: number | null } | null };

function MoveCell({ heading, move }: MoveCellProps): ReactNode {
  const text = moveText(move);
  const change = move?.state === 'measured' ? move.change : null;
  const isMoved = change !== null && Math.abs(change) >= 0.005;
  return (
    <td data-heading={heading} className={change === null ? 'muted' : undefined}>
      {isMoved ? <Trend direction={change > 0 ? 'up' : 'down'}>{text}</Trend> : text}
    </td>
  );
}

function Averages({ history }: { history: EventHistory }): ReactNode {
  const { averages, releases, symbol } = history;
  if (averages.length === 0) return null;
  return (
    <dl className="stack gap-1">
      {averages.map((average) => (
        <div key={average.of}>
          <dt>{averageLabel(average, releases)}</dt>
          <dd>
            Market +5 min {meanText(average.after5)}, +30 min {meanText(average.after30)}
            {symbol !== null &&
              ` · ${symbol} +5 min ${meanText(average.stock5)}, +30 min ${meanText(average.stock30)}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function StockChoice(): ReactNode {
  const { stock } = choices.value;
  // The text being typed; null while nothing is typed, so that the field shows the choice.
  const [text, setText] = useState<string | null>(null);
  const [isUsed, setUsed] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const pick = (code: string) => {
    setText(null);
    choose({ stock: code });
  };
  const leave = () => {
    setText(null);
    choose({ stock: null });
    // The button disappears, so move its focus.
    box.current?.focus();
  };
  return (
    <div className="history-stock row align-end" onFocus={() => setUsed(true)}>
      {isUsed && <WholeMarketWatch />}
      <SymbolBox
        label="Also show a stock"
        placeholder="Code or company"
        value={text ?? stock ?? ''}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        onText={setText}
        onPick={pick}
        inputRef={box}
      />
      {stock !== null && (
        <Button variant="quiet" onClick={leave}>
          Without {stock}
        </Button>
      )}
    </div>
  );
}

/** Reload interval while a price move is pending, ms. */
const LOOK_AGAIN_MS = 30_000;

const hasPending = ({ releases }: EventHistory): boolean =>
  releases.some(({ after5, after30 }) => after5?.state === 'pending' || after30?.state === 'pending');

/** The past releases of an event; they load when the row is opened. */
function PastReleases({ event, zone }: { event: CalendarEvent; zone: string }): ReactNode {
  const headingId = useId();
  const table = useRef<HTMLTableElement>(null);
  const { stock } = choices.value;
  const [isPending, setPending] = useState(false);
  const { data, error, problem, isLoading, isCurrent, reload } = useLoaded(
    () => fetchHistory(event.id, stock),
    'Earlier figures could not be loaded.',
    {
      of: `${event.id} ${stock ?? ''}`,
      again: event.actual,
      everyMs: isPending ? LOOK_AGAIN_MS : undefined,
    },
  );
  if (data !== null && isPending !== hasPending(data)) setPending(!isPending);
  // The event no longer exists, or the server has only the specified routes.
  if (data === null && isMissing(problem)) return null;
  return (
    <section className="event-history gap-2 min-w-0 stack" aria-labelledby={headingId} aria-busy={isLoading}>
      <div className="cluster">
        <h2 id={headingId} className="table-text">
          Earlier figures
        </h2>
        {data !== null && data.releases.length > 0 && (
          <ExportDrawnButton label="Earlier figures" table={table} />
        )}
      </div>
      {error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
      {data === null && error === null && <SkeletonRows rows={12} label="Loading earlier figures…" />}
      {data !== null && (
        <div className="stack" data-old={!isCurrent || undefined}>
          <Known history={data} zone={zone} table={table} />
        </div>
      )}
    </section>
  );
}

type KnownProps = { history: EventHistory; zone: string; table: RefObject<HTMLTableElement | null> };

function Known({ history, zone, table }: KnownProps): ReactNode {
  const { releases, note } = history;
  if (releases.length === 0) {
    return <p className="muted">{note ?? 'No earlier figures yet: this is the first one recorded here.'}</p>;
  }
  return (
    <>
      <HistoryPicture history={history} zone={zone} />
      <HistoryTable history={history} zone={zone} table={table} />
      <Averages history={history} />
      <StockChoice />
      <p className="muted small prose">{noteOf(history)}</p>
    </>
  );
}

function noteOf({ releases, remembered, simulated, note }: EventHistory): string {
  const shown = remembered > releases.length ? `The last ${releases.length} of ${remembered} recorded. ` : '';
  const hasSpread = releases.some(({ surprise }) => surprise !== null && surprise.sigma !== null);
  const sigma = hasSpread
    ? 'σ: the surprise in standard deviations of earlier surprises. '
    : `σ is shown after ${MIN_EARLIER} earlier surprises. `;
  const market =
    'Market: the 50 largest stocks, weighted by market cap, from the last price before the release.';
  return `${shown}${sigma}${market}${note === null ? '' : ` ${note}`}${simulated ? ' These figures are simulated.' : ''}`;
}

type EventPanelProps = {
  event: CalendarEvent;
  zone: string;
  /** Current time (`useCalendarMoment`). */
  moment: number;
  isPast: boolean;
  isOffered: boolean;
  /** Whether the source has actual figures. */
  bringsFigures: boolean;
};

export function EventPanel({
  event,
  zone,
  moment,
  isPast,
  isOffered,
  bringsFigures,
}: EventPanelProps): ReactNode {
  return (
    <div className="event-panel wrap table-text on-surface" role="region" aria-label={event.name}>
      <Facts event={event} zone={zone} />
      {isOffered ? (
        <ReminderToggles event={event} moment={moment} bringsFigures={bringsFigures} />
      ) : (
        isPast && <p className="muted">This event is over.</p>
      )}
      {hasFigure(event) && bringsFigures && <PastReleases event={event} zone={zone} />}
    </div>
  );
}

function Facts({ event, zone }: { event: CalendarEvent; zone: string }): ReactNode {
  const time = timeOf(event);
  const surprise = surpriseOf(event);
  const figures = (['actual', 'consensus', 'previous', 'revised'] as const).filter(
    (name) => event[name] !== null,
  );
  return (
    <dl className="facts">
      {time !== null && (
        <>
          <dt>When</dt>
          <dd>{event.isAllDay ? 'All day' : whenText(event, time, zone)}</dd>
        </>
      )}
      {figures.map((name) => (
        <Figure key={name} label={FIGURE_LABELS[name]} text={formatExactFigure(event[name], event)} />
      ))}
      {surprise !== null && <Figure label="Result" text={SURPRISES[surprise].text} />}
    </dl>
  );
}

const FIGURE_LABELS = {
  actual: 'Actual',
  consensus: 'Consensus',
  previous: 'Previous',
  revised: 'Previous, revised',
} as const;

const Figure = ({ label, text }: { label: string; text: string }): ReactNode => (
  <>
    <dt>{label}</dt>
    <dd>{text}</dd>
  </>
);

const whenText = ({ isTentative }: CalendarEvent, time: number, zone: string): string =>
  `${momentText(time, zone)} ${zoneLabel(zone)} (${zoneOffset(zone, time)})${isTentative ? ', not confirmed' : ''}`;

type ReminderTogglesProps = Pick<EventPanelProps, 'event' | 'moment' | 'bringsFigures'>;

function ReminderToggles(props: ReminderTogglesProps): ReactNode {
  const noteId = useId();
  const loadError = remindersError.value;
  useEffect(() => void findChat(), []);
  const describedBy = hasNoChat.value ? noteId : undefined;
  if (loadError !== null) return <RetryBanner onRetry={loadReminders}>{loadError}</RetryBanner>;
  return (
    <div className="event-reminders stack align-start">
      <Choices {...props} describedBy={describedBy} />
      {!props.bringsFigures && hasFigure(props.event) && (
        <p className="muted">This source has no actual figures.</p>
      )}
      <FormError>{reminderErrors.value.get(props.event.id) ?? null}</FormError>
      {describedBy && (
        <p className="muted" id={noteId} role="status">
          No chat or device receives reminders yet. Add one in{' '}
          <a href={`#${settingsPath('notifications')}`}>Settings</a>.
        </p>
      )}
    </div>
  );
}

type ChoicesProps = ReminderTogglesProps & { describedBy: string | undefined };

function Choices({ event, moment, bringsFigures, describedBy }: ChoicesProps): ReactNode {
  const { id, name } = event;
  const known = reminders.value;
  const chosen = known?.get(id) ?? NO_REMINDER;
  const isAhead = canBeNotified({ before: true, figure: false }, event, moment);
  // A choice that can no longer be delivered is not sent again together with the other.
  const kept = isAhead ? {} : { before: false };
  const common = { disabled: known === null, describedBy };
  return (
    <>
      {isAhead && (
        <Toggle
          {...common}
          label={OFFERS.before}
          name={`${OFFERS.before}: ${name}`}
          checked={chosen.before}
          onChange={(before) => void chooseReminder(id, { before })}
        />
      )}
      {bringsFigures && canBeNotified({ before: false, figure: true }, event, moment) && (
        <Toggle
          {...common}
          label={OFFERS.figure}
          name={`${OFFERS.figure}: ${name}`}
          checked={chosen.figure}
          onChange={(figure) => void chooseReminder(id, { ...kept, figure })}
        />
      )}
    </>
  );
}
