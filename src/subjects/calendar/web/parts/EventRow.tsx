import BellIcon from 'lucide-react/icons/bell';
import BellRingIcon from 'lucide-react/icons/bell-ring';
import ChevronIcon from 'lucide-react/icons/chevron-right';
import { memo, type ReactNode, useEffect, useState } from 'react';
import { type CalendarEvent, type Impact, IMPACTS, hasFigure } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { DASH, formatMinutes } from '#texts/format.ts';
import { Pill } from '#ui/Pill.tsx';
import { periodText, typeText, SURPRISE_WORDS } from '../eventTexts.ts';
import { type CompanyEvent, companyEventText } from '../../rules/companyEvents.ts';
import type { CalendarRow } from '../companyEvents.ts';
import { OFFERS, type Offer, type ReminderChoice } from '../reminders.ts';
import { useCalendarNow } from '../shared/calendarClock.ts';
import { Countdown } from '../shared/SoonNote.tsx';
import { type FlagShape, flagShapes } from '../flagShapes.ts';
import {
  formatExactFigure,
  formatFigure,
  type Surprise,
  surpriseOf,
  SURPRISES,
} from '#subjects/calendar/rules/figures.ts';

/** Duration of a flash, as for changed cells of the scanners. */
const FLASH_MS = 600;

type FigureCellProps = {
  label: string;
  className: string;
  /** Text of the cell; when it changes, the cell flashes. */
  figure: string;
  children: ReactNode;
};

function FigureCell({ label, className, figure, children }: FigureCellProps): ReactNode {
  const isNew = useFlash(figure);
  return (
    <td role="gridcell" className={`figure-cell ${className}${isNew ? ' is-new' : ''}`} data-label={label}>
      {children}
    </td>
  );
}

/** True for a short time after the text changed, but not initially. */
function useFlash(text: string): boolean {
  const [shown, setShown] = useState(text);
  const [isNew, setNew] = useState(false);
  // Set during render, because an effect would draw the table twice.
  if (text !== shown) {
    setShown(text);
    setNew(true);
  }
  useEffect(() => {
    if (!isNew) return;
    const timer = setTimeout(() => setNew(false), FLASH_MS);
    return () => clearTimeout(timer);
  }, [isNew, text]);
  return isNew;
}

const TONES: Readonly<Record<Surprise, string>> = {
  better: 'is-up',
  worse: 'is-down',
  asExpected: 'is-flat',
  above: 'is-flat',
  below: 'is-flat',
};

/** Signs of results that are neither better nor worse; those two get their arrows from CSS. */
const SIGNS: Partial<Record<Surprise, string>> = {
  above: `${SURPRISES.above.sign} `,
  below: `${SURPRISES.below.sign} `,
};

type EventProps = { event: CalendarEvent };

/** How late a figure is, in minutes. */
function Awaited({ since }: { since: number }): ReactNode {
  const late = Math.max(0, Math.floor((useCalendarNow() - since) / MINUTE_MS));
  return `awaited${late === 0 ? '' : ` ${formatMinutes(late)}`}`;
}

function ActualCell({ event, isAwaited }: EventProps & { isAwaited: boolean }): ReactNode {
  const text = formatFigure(event.actual, event);
  const surprise = surpriseOf(event);
  const isMissing = event.actual === null;
  const since = timeOf(event);
  if (isAwaited && since !== null) {
    return (
      <FigureCell label="Actual" className="cal-actual is-missing" figure={text}>
        <Awaited since={since} />
      </FigureCell>
    );
  }
  return (
    <FigureCell label="Actual" className={isMissing ? 'cal-actual is-missing' : 'cal-actual'} figure={text}>
      {surprise === null ? (
        <span title={exact(event.actual, event)}>{text}</span>
      ) : (
        <span
          className="figure-line align-baseline nowrap"
          title={`${formatExactFigure(event.actual, event)}: ${SURPRISES[surprise].text}`}
        >
          <span className={`trend ${TONES[surprise]}`}>
            {SIGNS[surprise] !== undefined && <span aria-hidden="true">{SIGNS[surprise]}</span>}
            {text}
          </span>
          <span className="muted small regular">{SURPRISE_WORDS[surprise]}</span>
        </span>
      )}
    </FigureCell>
  );
}

function ConsensusCell({ event }: EventProps): ReactNode {
  const text = formatFigure(event.consensus, event);
  return (
    <FigureCell
      label="Consensus"
      className={event.consensus === null ? 'cal-consensus is-missing' : 'cal-consensus'}
      figure={text}
    >
      <span title={exact(event.consensus, event)}>{text}</span>
    </FigureCell>
  );
}

/** The previous figure, with the revised one next to it. */
function PreviousCell({ event }: EventProps): ReactNode {
  const { previous, revised } = event;
  const isRevised = revised !== null && revised !== previous;
  const shown = isRevised ? revised : previous;
  const text = formatFigure(shown, event);
  return (
    <FigureCell
      label="Previous"
      className={shown === null ? 'cal-previous is-missing' : 'cal-previous'}
      figure={text}
    >
      <span className="figure-line align-baseline nowrap">
        <span title={exact(shown, event)}>{text}</span>
        {isRevised && (
          <span className="muted small regular" title="Revised">
            {previous === null ? (
              'revised'
            ) : (
              <>
                <span className="visually-hidden">revised from </span>
                <s>{formatFigure(previous, event)}</s>
                <span aria-hidden="true"> rev.</span>
              </>
            )}
          </span>
        )}
      </span>
    </FigureCell>
  );
}

/** A figure with all decimals, if the table shows fewer. */
function exact(value: number | null, event: CalendarEvent): string | undefined {
  if (value === null) return undefined;
  const text = formatExactFigure(value, event);
  return text === formatFigure(value, event) ? undefined : text;
}

const draw = (shape: FlagShape, key: number): ReactNode => {
  const { kind, fill } = shape;
  if (kind === 'area') return <polygon key={key} points={shape.points} fill={fill} />;
  const { x, y } = shape;
  if (kind === 'disc') return <circle key={key} cx={x} cy={y} r={shape.radius} fill={fill} />;
  return <rect key={key} x={x} y={y} width={shape.width} height={shape.height} fill={fill} />;
};

/** A flag; empty for a country without a drawing. Screen readers announce the code next to it. */
const Flag = memo(function Flag({ country }: { country: string }): ReactNode {
  const shapes = flagShapes(country);
  return (
    shapes !== null && (
      <svg className="flag" viewBox="0 0 18 12" aria-hidden="true" focusable="false" data-country={country}>
        {shapes.map(draw)}
      </svg>
    )
  );
});

function ImpactMark({ impact }: { impact: Impact }): ReactNode {
  const level = IMPACTS.indexOf(impact) + 1;
  return (
    <span className={`impact-mark cluster impact-${impact.toLowerCase()}`}>
      <span className="impact-bars" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <i key={bar} className={bar <= level ? 'is-full' : undefined} />
        ))}
      </span>
      {impact}
    </span>
  );
}

export type EventRowProps = {
  event: CalendarRow;
  /** Row number in the table, from 1. */
  rowIndex: number;
  /** Time of day in the chosen zone. */
  time: string;
  isPast: boolean;
  /** True for an event that has started and whose figure is missing. */
  isAwaited: boolean;
  /** True for an event of HIGH impact that has started and is not over. */
  isUnderWay: boolean;
  /** True for the first event to come, and for others at the same time. */
  isNext: boolean;
  hasCountdown: boolean;
  isOpen: boolean;
  /** True if the Tab key can reach the row's links and buttons. */
  inTabOrder: boolean;
  /** The reminder that a click on the bell sets; null if there is none. */
  offer: Offer | null;
  reminder: ReminderChoice | undefined;
  onRemind(event: CalendarEvent, offer: Offer): void;
};

const PlaceCells = ({ event: { countryCode, currencyCode } }: { event: CalendarEvent }): ReactNode => (
  <>
    <td role="gridcell" className="cal-country">
      <Flag country={countryCode} /> {countryCode || DASH}
    </td>
    <td role="gridcell" className="cal-currency">
      {currencyCode || DASH}
    </td>
  </>
);

/** Renders only when one of its props changes. */
export const EventRow = memo(function EventRow(props: EventRowProps): ReactNode {
  const { event, isPast, isNext, isAwaited, isUnderWay } = props;
  return (
    <tr
      role="row"
      className="event-row"
      data-id={event.id}
      data-past={(isPast && !isAwaited && !isUnderWay) || undefined}
      data-next={isNext || isUnderWay || undefined}
      data-open={props.isOpen || undefined}
      data-plain={isPlain(event) || undefined}
      aria-rowindex={props.rowIndex}
      tabIndex={props.inTabOrder ? 0 : -1}
    >
      <td role="gridcell" className="cal-time">
        <TimeText text={props.time} />
      </td>
      <PlaceCells event={event} />
      <th role="rowheader" scope="row" className="cal-event">
        <EventName {...props} />
      </th>
      <td role="gridcell" className="cal-period">
        {periodText(event)}
      </td>
      <ActualCell event={event} isAwaited={isAwaited} />
      <ConsensusCell event={event} />
      <PreviousCell event={event} />
      <td role="gridcell" className="cal-impact">
        {event.company ? DASH : <ImpactMark impact={event.volatility} />}
      </td>
      <td role="gridcell" className="cal-type">
        {event.company ? 'Company' : typeText(event)}
      </td>
    </tr>
  );
});

/** Whether an event has no figures at all, for example a speech or holiday. */
const isPlain = (event: CalendarEvent): boolean =>
  !hasFigure(event) && event.actual === null && event.consensus === null && event.previous === null;

/** Makes screen readers announce '~10:30' as an approximate time. */
function TimeText({ text }: { text: string }): ReactNode {
  if (!text.startsWith('~')) return text;
  return (
    <span title="Time not confirmed">
      <span aria-hidden="true">~</span>
      <span className="visually-hidden">about </span>
      {text.slice(1)}
    </span>
  );
}

function EventName({ event, isNext, hasCountdown, ...row }: EventRowProps): ReactNode {
  const until = timeOf(event);
  return (
    <span className="event-name cluster align-baseline">
      <span className="min-w-0 break-words">
        {event.company ? <CompanyName company={event.company} /> : event.name}
      </span>
      {row.isUnderWay && !row.isAwaited && <Pill variant="accent">Under way</Pill>}
      {isNext && (
        <Pill variant="accent">
          Next{hasCountdown && until !== null && ' in '}
          {hasCountdown && until !== null && <Countdown until={until} />}
        </Pill>
      )}
      <RowButton event={event} {...row} />
    </span>
  );
}

/** 'NVU Capital raising: $7.5M Placement'. A headline that is only the kind is not repeated. */
function CompanyName({ company }: { company: CompanyEvent }): ReactNode {
  const kind = companyEventText(company);
  const isRepeated = company.headline.toLowerCase() === kind.toLowerCase();
  return (
    <>
      <b>{company.code}</b> {isRepeated ? kind : `${kind}: ${company.headline}`}
    </>
  );
}

type RowButtonProps = Pick<
  EventRowProps,
  'event' | 'offer' | 'reminder' | 'isOpen' | 'inTabOrder' | 'onRemind'
>;

/** A bell that sets a reminder; opens the row if there is none to set, or one is set. */
function RowButton({ event, offer, reminder, isOpen, inTabOrder, onRemind }: RowButtonProps): ReactNode {
  const isSet = isAsked(reminder);
  const common = {
    type: 'button',
    className: 'event-button center muted',
    tabIndex: inTabOrder ? 0 : -1,
  } as const;
  if (offer !== null && !isSet) {
    return (
      <button
        {...common}
        aria-label={`${OFFERS[offer]}: ${event.name}`}
        title={OFFERS[offer]}
        onClick={(click) => {
          click.stopPropagation();
          onRemind(event, offer);
        }}
      >
        <BellIcon size={15} aria-hidden />
      </button>
    );
  }
  return (
    <button
      {...common}
      aria-expanded={isOpen}
      aria-label={offer === null ? `Details of ${event.name}` : `Reminders of ${event.name}, set`}
      title={offer === null ? 'Details' : 'Reminders'}
    >
      {offer === null ? (
        <ChevronIcon className="chevron" size={15} aria-hidden />
      ) : (
        <BellRingIcon size={15} className="bell-set" aria-hidden />
      )}
    </button>
  );
}

const isAsked = (reminder: ReminderChoice | undefined): boolean =>
  reminder !== undefined && (reminder.before || reminder.figure);
