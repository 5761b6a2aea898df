import { type ReactElement, type ReactNode, useState } from 'react';
import { changeText, moneyText, wayOf } from '#subjects/marketOverview/rules/overviewText.ts';
import { MESSAGES } from '#texts/messages.ts';
import { counted, formatDate, formatMoment, formatNumber, formatTime } from '#texts/format.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Trend } from '#ui/Trend.tsx';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { ANNOUNCEMENTS_PATH, CALENDAR_PATH, settingsPath } from '#web/router/routes.ts';
import { useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { showStock } from '#web/windows/stockPane.ts';
import { briefAnswer } from '../answers/brief.ts';
import { HALT_TEXTS } from '../rules/brief.ts';
import { OvernightFigures } from '#subjects/marketOverview/web/shared/OvernightLine.tsx';
import './brief.css';

type Brief = NonNullable<Known<typeof briefAnswer>>;

const fetchBrief = (): Promise<Brief> => request('GET /api/brief', { read: readerOf(briefAnswer) });
const EVERY_MS = 15_000;

export function BriefPage(): ReactNode {
  const { data, error, reload } = useLoaded(fetchBrief, MESSAGES.brief.load);
  useReloads(true, reload, EVERY_MS);
  return (
    <div className="page brief-page">
      <header className="row gap-2-3">
        <h1>Morning brief</h1>
        {data?.state === 'ready' && <span className="muted">{formatDate(data.date)}</span>}
        <FeedPill />
        <ZoneNote />
      </header>
      {error !== null && data === null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
      {error !== null && data !== null && (
        <Banner variant="warn">
          {error}. This brief is from {formatTime(data.at)}.
        </Banner>
      )}
      {data === null && error === null && <SkeletonRows rows={10} label="Loading the brief…" />}
      {data?.state === 'waiting' && <Waiting next={data.next} />}
      {data?.state === 'ready' && <Content brief={data} />}
    </div>
  );
}

const Waiting = ({ next }: { next: number }): ReactNode => (
  <EmptyState
    detail="It shows other markets, gaps, announcements, halts and your lists."
    action={<a href={`#${ANNOUNCEMENTS_PATH}`}>Show announcements</a>}
  >
    The next brief begins on {formatDate(sydneyDate(next))} at {formatTime(next)} Sydney time.
  </EmptyState>
);

function Content({ brief }: { brief: Brief }): ReactNode {
  const { gaps, lists, watched, announcements, announcementCount, halts, flips, events, date } = brief;
  return (
    <>
      <OvernightFigures figures={brief.overnight} />
      {gaps && (
        <p>
          <Trend direction="up">{formatNumber(gaps.up, 0)}</Trend> gap up,{' '}
          <Trend direction="down">{formatNumber(gaps.down, 0)}</Trend> gap down{' '}
          <span className="muted">
            of {formatNumber(gaps.stocks, 0)} stocks, {moneyText(gaps.value)} match value
          </span>
        </p>
      )}
      <div className="brief-columns">
        <div className="stack gap-4 min-w-0">
          {watched > 0 && (
            <Section
              title="My lists"
              note={lists.length > 0 ? counted(watched, 'stock') : 'No news since the last close'}
              isKept
            >
              {lists.map((one) => (
                <Line key={one.code} stock={one} text={one.news.join(' · ')} />
              ))}
            </Section>
          )}
          <Section
            title="Price-sensitive announcements"
            note={[
              counted(announcementCount, 'stock'),
              gaps === null ? 'newest first' : 'largest gaps first',
            ].join(', ')}
          >
            {announcements.map((one) => (
              <Line
                key={one.code}
                stock={one}
                text={`${momentText(one.time, date)} ${one.headline}${one.more > 0 ? ` and ${one.more} more` : ''}`}
              />
            ))}
          </Section>
        </div>
        <div className="stack gap-4 min-w-0">
          <Section title="Halts">
            {halts.map((one) => (
              <Line key={one.code} stock={one} text={timed(HALT_TEXTS[one.kind], one.time)} />
            ))}
          </Section>
          <Section title="Events of HIGH impact">
            {events.map(({ id, time, currency, name, figures }) => (
              <li key={id}>
                <a className="brief-row" href={`#${CALENDAR_PATH}`}>
                  <b>{time === null ? 'All day' : formatTime(time)}</b>
                  <span>
                    {currency} {name} <span className="muted">{figures}</span>
                  </span>
                </a>
              </li>
            ))}
          </Section>
          <Section title="Surplus flips" note="Largest match value first">
            {flips.map((one) => (
              <Line key={one.code} stock={one} text={timed(`To ${one.side}`, one.time)} />
            ))}
          </Section>
        </div>
      </div>
      <p className="muted small">
        As of {formatTime(brief.at)}. General information only. You can get it as a message:{' '}
        <a href={`#${settingsPath('notifications')}`}>Settings</a>.
      </p>
    </>
  );
}

/** '08:31', with the date if it is not the brief's. */
const momentText = (time: number, date: string): string =>
  sydneyDate(time) === date ? formatTime(time) : formatMoment(time);

const timed = (text: string, time: number | null): string =>
  time === null ? text : `${text} at ${formatTime(time)}`;

/** Lines of a section before all are wanted, so that the page is read in half a minute. */
const FEW = 8;

type SectionProps = {
  title: string;
  note?: string;
  /** Whether the section is shown without lines. */
  isKept?: boolean;
  children: readonly ReactElement[];
};

function Section({ title, note, isKept = false, children }: SectionProps): ReactNode {
  const [isWhole, setWhole] = useState(false);
  if (children.length === 0 && !isKept) return null;
  return (
    <section>
      <header className="row gap-2-3">
        <h2>{title}</h2>
        {note !== undefined && <span className="muted small">{note}</span>}
      </header>
      <ul>{isWhole ? children : children.slice(0, FEW)}</ul>
      {children.length > FEW && (
        <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : 'Show more'}
          <span className="visually-hidden"> of {title}</span>
        </Button>
      )}
    </section>
  );
}

type LineProps = { stock: Pick<Brief['lists'][number], 'code' | 'name' | 'gap'>; text: string };

/** A line that opens its stock. */
function Line({ stock: { code, name, gap }, text }: LineProps): ReactNode {
  return (
    <li>
      <button type="button" className="brief-row" title={name} onClick={() => showStock(code)}>
        <b>{code}</b>
        <span>{text === '' ? <span className="muted">{name}</span> : text}</span>
        {gap !== null && <Trend direction={wayOf(gap)}>{changeText(gap)}</Trend>}
      </button>
    </li>
  );
}
