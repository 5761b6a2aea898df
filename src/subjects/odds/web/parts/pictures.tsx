import type { CSSProperties, ReactNode } from 'react';
import { addDays, weekdayOf } from '#lib/sydneyTime.ts';
import { counted, formatDate, formatNumber, formatShortDate } from '#texts/format.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { Trend } from '#ui/Trend.tsx';
import { entriesText, percentText, toneOf } from '../../rules/oddsText.ts';
import type { OddsDays, OddsResult } from '../../rules/result.ts';

export const Percent = ({ of }: { of: number | null }): ReactNode => {
  const tone = toneOf(of);
  return tone === 'flat' ? percentText(of) : <Trend direction={tone}>{percentText(of)}</Trend>;
};

type Bin = { label: string; count: number; tone: 'up' | 'down'; edge: number | null };

const edgeText = (edge: number): string =>
  `${edge > 0 ? '+' : ''}${formatNumber(edge, Number.isInteger(edge) ? 0 : 1)}%`;

function binsOf({ edges, counts }: OddsResult['distribution']): Bin[] {
  return counts.map((count, index) => {
    const [from, until] = [edges[index - 1], edges[index]];
    const label =
      from === undefined
        ? `Below ${edgeText(until ?? 0)}`
        : until === undefined
          ? `${edgeText(from)} and more`
          : `${edgeText(from)} to ${edgeText(until)}`;
    return { label, count, tone: (until ?? 1) <= 0 ? 'down' : 'up', edge: until ?? null };
  });
}

/** How many trades had which result: a bar per range, gains filled and losses hollow. */
export function Distribution({ result: { distribution, all } }: { result: OddsResult }): ReactNode {
  const bins = binsOf(distribution);
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const label = `${formatNumber(all.winners, 0)}% of the trades gained. Best ${percentText(all.best)}, worst ${percentText(all.worst)}, median ${percentText(all.median)}.`;
  return (
    <section className="stack gap-1 min-w-0">
      <h2>Results per trade</h2>
      <p className="muted small">{label}</p>
      <div className="odds-bars" role="img" aria-label="Bars of the results, repeated in the table below">
        {bins.map(({ label: range, count, tone, edge }) => (
          <div key={range} className="odds-bar" title={`${range}: ${counted(count, 'trade')}`}>
            <span
              className={tone}
              data-empty={count === 0 || undefined}
              style={{ '--share': count / highest } as CSSProperties}
            />
            {edge !== null && edge % 5 === 0 && (
              <small data-zero={edge === 0 || undefined}>{edgeText(edge)}</small>
            )}
          </div>
        ))}
      </div>
      <Disclosure label="Show as table">
        <Rows
          label="Results per trade"
          head={['Result', 'Trades']}
          rows={bins.map(({ label: range, count }) => [range, formatNumber(count, 0)])}
        />
      </Disclosure>
    </section>
  );
}

type RowsProps = {
  label: string;
  head: readonly string[];
  rows: readonly (readonly [string, ...ReactNode[]])[];
};

const Rows = ({ label, head, rows }: RowsProps): ReactNode => (
  <div className="scrolls" tabIndex={0} role="region" aria-label={label}>
    <table className="data-table">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {head.map((text, index) => (
            <th key={text} scope="col" className={index > 0 ? 'is-number' : undefined}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={head[index + 1]} className="is-number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

type Day = { date: string; entries: number; mean: number | null; gap: number };

const daysOf = ({ dates, entries, sums, gapMinutes }: OddsDays): Day[] =>
  dates.map((date, index) => {
    const count = entries[index] ?? 0;
    return {
      date,
      entries: count,
      mean: count === 0 ? null : (sums[index] ?? 0) / count,
      gap: gapMinutes[index] ?? 0,
    };
  });

const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date));

const dayText = ({ date, entries, mean, gap }: Day): string =>
  `${formatDate(date)}: ${entries === 0 ? 'no entries' : `${percentText(mean)} a trade, ${entriesText(entries)}`}${
    gap > 0 ? `, ${counted(gap, 'minute')} of prices missing` : ''
  }`;

/** The months that begin in a week, except one whose name would touch the next. @param weeks Mondays */
function monthsOf(weeks: readonly string[]): { name: string; at: number }[] {
  const begun = weeks.flatMap((monday, at) =>
    weeks[at - 1]?.slice(0, 7) === monday.slice(0, 7)
      ? []
      : [{ name: formatShortDate(monday, monday).replace(/^\d{1,2} /, ''), at }],
  );
  return begun.filter(({ at }, index) => (begun[index + 1]?.at ?? at + 2) - at >= 2);
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];

type DayCalendarProps = {
  result: OddsResult;
  /** Sessions of the whole run, for which the picture has room from the start. */
  of: number;
};

/** The days as squares, a column per week: gains filled, losses hollow, larger for a larger mean. */
export function DayCalendar({ result: { days: columns, heldOutFrom }, of }: DayCalendarProps): ReactNode {
  const days = daysOf(columns);
  const first = days[0]?.date;
  if (first === undefined) return null;
  const weeks = [...new Set(days.map(({ date }) => mondayOf(date)))];
  const largest = Math.max(...days.map(({ mean }) => Math.abs(mean ?? 0)), 1e-9);
  const gained = days.filter(({ mean }) => toneOf(mean) === 'up').length;
  const lost = days.filter(({ mean }) => toneOf(mean) === 'down').length;
  const heldOutWeek = heldOutFrom === null ? -1 : weeks.indexOf(mondayOf(heldOutFrom));
  return (
    <section className="stack gap-1 min-w-0">
      <h2>Days</h2>
      <p className="muted small">
        {counted(gained, 'day')} gained, {formatNumber(lost, 0)} lost,{' '}
        {formatNumber(days.length - gained - lost, 0)} without a result.
      </p>
      <div
        className="odds-days"
        role="img"
        aria-label="Squares of the days, repeated in the table below"
        style={{ '--weeks': Math.max(weeks.length, Math.ceil(of / WEEKDAYS.length)) } as CSSProperties}
      >
        {WEEKDAYS.map((name, index) => (
          <small key={name} style={{ gridColumn: 1, gridRow: index + 2 }}>
            {name}
          </small>
        ))}
        {monthsOf(weeks).map(({ name, at }) => (
          <small key={at} style={{ gridColumn: `${at + 2} / span 2`, gridRow: 1 }}>
            {name}
          </small>
        ))}
        {days.map((day) => (
          <span
            key={day.date}
            className={toneOf(day.mean)}
            title={dayText(day)}
            data-empty={day.mean === null || undefined}
            style={
              {
                gridColumn: weeks.indexOf(mondayOf(day.date)) + 2,
                gridRow: weekdayOf(day.date) + 1,
                '--share': Math.sqrt(Math.abs(day.mean ?? 0) / largest),
              } as CSSProperties
            }
          />
        ))}
        <small
          className={heldOutWeek < 0 ? 'odds-held-out is-empty' : 'odds-held-out'}
          style={{ gridColumn: `${Math.max(0, heldOutWeek) + 2} / ${weeks.length + 2}`, gridRow: 7 }}
        >
          last third
        </small>
      </div>
      <Disclosure label="Show as table">
        <Rows
          label="Days, newest first"
          head={['Day', 'Mean', 'Entries']}
          rows={days
            .toReversed()
            .map((day) => [
              formatDate(day.date),
              <Percent key="mean" of={day.mean} />,
              formatNumber(day.entries, 0),
            ])}
        />
      </Disclosure>
    </section>
  );
}
