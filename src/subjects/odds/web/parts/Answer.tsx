import type { ReactNode } from 'react';
import { counted, formatNumber, formatShortDate } from '#texts/format.ts';
import { BarTable, type BarRow } from '#ui/BarTable.tsx';
import {
  entriesText,
  intervalText,
  luckText,
  missingTexts,
  percentText,
  sampleText,
  sizeText,
  toneOf,
  variantsText,
  verdictText,
} from '../../rules/oddsText.ts';
import type { OddsGroup, OddsLuck, OddsResult, OddsSample } from '../../rules/result.ts';
import { DayCalendar, Distribution, Percent } from './pictures.tsx';

type VerdictProps = {
  result: OddsResult;
  luck: OddsLuck | null;
  /** Where the run is; null when it is done. */
  progress: string | null;
};

/** The answer in ten seconds: made or lost, on how much, and whether it is luck. */
export function Verdict({ result, luck, progress }: VerdictProps): ReactNode {
  const { all } = result;
  const isDone = progress === null;
  return (
    // Announced once, at the end of the run.
    <div className="stack gap-2" role="status" aria-busy={!isDone}>
      <p className="odds-verdict">
        <strong className={all.isTooFew ? 'flat' : toneOf(all.mean)}>{verdictText(all)}</strong>{' '}
        {sampleText(all)}
      </p>
      {/* The two texts share a line, so that nothing moves at the end of the run. */}
      <p className="odds-luck">{isDone ? luckText(result, luck) : progress}</p>
    </div>
  );
}

/** What the number of tries means. It follows the numbers, so that it moves nothing when it appears. */
export function Variants({ result: { all }, luck }: { result: OddsResult; luck: OddsLuck }): ReactNode {
  const text = variantsText(luck);
  return text !== null && <p className={(all.mean ?? 0) > 0 ? 'marked tone-stale' : 'muted'}>{text}</p>;
}

type FigureProps = { name: string; children: ReactNode; note?: ReactNode };

const Figure = ({ name, children, note }: FigureProps): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>
      <b>{children}</b>
      {note !== undefined && <small className="muted">{note}</small>}
    </dd>
  </div>
);

/** How much of the result the costs take: 'costs take 4.0%'. */
const costsNote = ({ mean, meanBefore }: OddsSample): string =>
  `costs take ${sizeText(mean === null || meanBefore === null ? null : meanBefore - mean)}`;

const partNote = ({ entries }: OddsSample): string => entriesText(entries);

type FiguresProps = {
  result: OddsResult;
  /** The entries since the scan was saved; null if it was not. */
  since: OddsSample | null;
};

/** One row of numbers. */
export function Figures({ result, since }: FiguresProps): ReactNode {
  const { all, earlier, heldOut, heldOutFrom } = result;
  return (
    <dl className="figures odds-figures">
      <Figure name="Mean after costs" note={`95%: ${intervalText(all)}`}>
        <Percent of={all.mean} />
      </Figure>
      <Figure name="Before costs" note={costsNote(all)}>
        <Percent of={all.meanBefore} />
      </Figure>
      <Figure name="Winners" note={`of the trades, in ${counted(all.stocks, 'stock')}`}>
        {all.winners === null ? percentText(null) : `${formatNumber(all.winners, 0)}%`}
      </Figure>
      <Figure name="Profit factor" note="gains by losses">
        {formatNumber(all.profitFactor, 2)}
      </Figure>
      <Figure name="First two thirds" note={partNote(earlier)}>
        <Percent of={earlier.mean} />
      </Figure>
      <Figure
        name={
          heldOutFrom === null
            ? 'Last third'
            : `Last third, from ${formatShortDate(heldOutFrom, heldOutFrom)}`
        }
        note={partNote(heldOut)}
      >
        <Percent of={heldOut.mean} />
      </Figure>
      {since && (
        <Figure name="Since you saved it" note={partNote(since)}>
          <Percent of={since.mean} />
        </Figure>
      )}
    </dl>
  );
}

const groupRows = (groups: readonly OddsGroup[]): BarRow[] =>
  groups.map(({ label, sample: { mean, entries } }) => ({
    label,
    value: mean ?? 0,
    texts: [<Percent key="mean" of={mean} />, formatNumber(entries, 0)],
    tone: toneOf(mean),
  }));

/** Sentences about what is not part of the answer. */
export function Missing({ result }: { result: OddsResult }): ReactNode {
  const missing = missingTexts(result);
  if (missing.length === 0) return null;
  return (
    <section className="stack gap-1">
      <h2>What is missing</h2>
      <ul className="bullets muted table-text">
        {missing.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

/** The pictures and the groups. @param of sessions of the whole run */
export function Details({ result, of }: { result: OddsResult; of: number }): ReactNode {
  return (
    <>
      <div className="odds-pictures">
        <Distribution result={result} />
        <DayCalendar result={result} of={of} />
      </div>
      <div className="odds-groups">
        <BarTable title="By hour" head={['Entered', 'Mean', 'Entries']} rows={groupRows(result.byHour)} />
        <BarTable title="By price" head={['Price', 'Mean', 'Entries']} rows={groupRows(result.byPrice)} />
        <BarTable
          title="By announcements"
          head={['That day', 'Mean', 'Entries']}
          rows={groupRows(result.byNews)}
        />
      </div>
    </>
  );
}
