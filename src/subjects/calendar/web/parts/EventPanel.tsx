import { type ReactNode, useEffect, useId, useState, useRef } from 'react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { canBeTold, hasFigure } from '#subjects/calendar/rules/reminderMessage.ts';
import { formatExactFigure, surpriseOf, SURPRISES } from '#subjects/calendar/rules/figures.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { Banner, FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Toggle } from '#ui/Field.tsx';
import { momentText } from '../eventTexts.ts';
import {
  hasNoChat,
  loadReminders,
  lookForChat,
  NO_REMINDER,
  reminderErrors,
  reminders,
  remindersError,
  chooseReminder,
} from '../reminders.ts';
import { zoneOffset } from '../timeZones.ts';
import { zoneLabel } from '#web/shared/zoneNames.ts';
import { MIN_EARLIER } from '#subjects/calendar/rules/outcomes.ts';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { type EventHistory as History, fetchHistory } from '../api.ts';
import { choices, choose } from '../calendarState.ts';
import { Averages, HistoryPicture, HistoryTable } from './history.tsx';
import { WholeMarketWatch } from '#web/live/useWatch.tsx';
import {
  companyName,
  isLiveSymbol,
  searchLiveSymbols,
  SymbolBox,
} from '#subjects/stock/web/shared/SymbolBox.tsx';

function StockChoice(): ReactNode {
  const { stock } = choices.value;
  // Null while nothing is being typed: the box then shows the choice.
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
    // The button disappears, so the focus moves.
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

const FAILED = 'Earlier figures could not be loaded.';

/** Reload interval while a price move is pending. */
const LOOK_AGAIN_MS = 30_000;

const hasPending = ({ releases }: History): boolean =>
  releases.some(({ after5, after30 }) => after5?.state === 'pending' || after30?.state === 'pending');

/** Loads when the row is opened. */
function EventHistory({ event, zone }: { event: CalendarEvent; zone: string }): ReactNode {
  const headingId = useId();
  const { stock } = choices.value;
  const [isPending, setPending] = useState(false);
  const { data, error, problem, isLoading, isCurrent, reload } = useLoaded(
    () => fetchHistory(event.id, stock),
    FAILED,
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
      <h2 id={headingId} className="table-text">
        Earlier figures
      </h2>
      {error !== null && (
        <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
      )}
      {data === null && error === null && <SkeletonRows rows={12} label="Loading earlier figures…" />}
      {data !== null && (
        <div className="stack" data-old={!isCurrent || undefined}>
          <Known history={data} zone={zone} />
        </div>
      )}
    </section>
  );
}

function Known({ history, zone }: { history: History; zone: string }): ReactNode {
  const { releases, note } = history;
  if (releases.length === 0) {
    return (
      <p className="muted">{note ?? 'Nothing is remembered yet: this is the first figure seen here.'}</p>
    );
  }
  return (
    <>
      <HistoryPicture history={history} zone={zone} />
      <HistoryTable history={history} zone={zone} />
      <Averages history={history} />
      <StockChoice />
      <p className="muted small prose">{noteOf(history)}</p>
    </>
  );
}

function noteOf({ releases, remembered, simulated, note }: History): string {
  const shown =
    remembered > releases.length ? `The last ${releases.length} of ${remembered} remembered. ` : '';
  const hasSpread = releases.some(({ surprise }) => surprise !== null && surprise.sigma !== null);
  const sigma = hasSpread
    ? 'σ: the surprise in standard deviations of the earlier ones. '
    : `σ is shown from ${MIN_EARLIER} earlier surprises on. `;
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
  /** Whether the source has figures at all. */
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
      {hasFigure(event) && bringsFigures && <EventHistory event={event} zone={zone} />}
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
  useEffect(() => void lookForChat(), []);
  const describedBy = hasNoChat.value ? noteId : undefined;
  if (loadError !== null) {
    return <Banner action={<Button onClick={() => void loadReminders()}>Retry</Button>}>{loadError}</Banner>;
  }
  return (
    <div className="event-reminders stack align-start">
      <Choices {...props} describedBy={describedBy} />
      {!props.bringsFigures && hasFigure(props.event) && (
        <p className="muted">This source has no actual figures.</p>
      )}
      <FormError>{reminderErrors.value.get(props.event.id) ?? null}</FormError>
      {describedBy && (
        <p className="muted" id={noteId} role="status">
          No chat or device gets reminders yet: add one in <a href={`#${SETTINGS_PATH}`}>Settings</a>.
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
  const isAhead = canBeTold({ before: true, figure: false }, event, moment);
  // A choice that can no longer be delivered is not sent again with the other.
  const kept = isAhead ? {} : { before: false };
  const common = { disabled: known === null, describedBy };
  return (
    <>
      {isAhead && (
        <Toggle
          {...common}
          label="Alert me 5 minutes before"
          name={`Alert me 5 minutes before: ${name}`}
          checked={chosen.before}
          onChange={(before) => chooseReminder(id, { before })}
        />
      )}
      {bringsFigures && canBeTold({ before: false, figure: true }, event, moment) && (
        <Toggle
          {...common}
          label="Alert me when the figure is out"
          name={`Alert me when the figure is out: ${name}`}
          checked={chosen.figure}
          onChange={(figure) => chooseReminder(id, { ...kept, figure })}
        />
      )}
    </>
  );
}
