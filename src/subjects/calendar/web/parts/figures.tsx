import { type ReactNode, useEffect, useState } from 'react';
import type { CalendarEvent } from '#subjects/calendar/rules/calendarEvent.ts';
import { formatExactFigure, formatFigure } from '#subjects/calendar/rules/figures.ts';
import { type Surprise, surpriseOf, SURPRISES } from '#subjects/calendar/rules/surprise.ts';
import { SURPRISE_WORDS } from '../eventTexts.ts';
import './figures.css';

/** As long as a changed cell of the scanners keeps its tint. */
const FLASH_MS = 600;

type FigureCellProps = {
  label: string;
  className: string;
  /** What the cell shows, as text: another one flashes. */
  figure: string;
  children: ReactNode;
};

/** A cell with a figure, tinted for a moment when another figure arrives. */
function FigureCell({ label, className, figure, children }: FigureCellProps): ReactNode {
  const isNew = useFlash(figure);
  return (
    <td role="gridcell" className={`figure-cell ${className}${isNew ? ' is-new' : ''}`} data-label={label}>
      {children}
    </td>
  );
}

/** True for a moment whenever the text is another one than it was; not for the first. */
function useFlash(text: string): boolean {
  const [shown, setShown] = useState(text);
  const [isNew, setNew] = useState(false);
  // With the figure itself: tinted only after it is painted, the table would be drawn twice.
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

/** Arrows of their own for what is neither better nor worse: those two have theirs from the style. */
const SIGNS: Partial<Record<Surprise, string>> = {
  above: `${SURPRISES.above.sign} `,
  below: `${SURPRISES.below.sign} `,
};

type EventProps = { event: CalendarEvent };

/** The figure as it came out, and how it compares with what was expected: by sign, word and colour. */
export function ActualCell({ event }: EventProps): ReactNode {
  const text = formatFigure(event.actual, event);
  const surprise = surpriseOf(event);
  const isMissing = event.actual === null;
  return (
    <FigureCell label="Actual" className={isMissing ? 'cal-actual is-missing' : 'cal-actual'} figure={text}>
      {surprise === null ? (
        <span title={exact(event.actual, event)}>{text}</span>
      ) : (
        <span
          className="figure-line"
          title={`${formatExactFigure(event.actual, event)}: ${SURPRISES[surprise].text}`}
        >
          <span className={`trend ${TONES[surprise]}`}>
            {SIGNS[surprise] !== undefined && <span aria-hidden="true">{SIGNS[surprise]}</span>}
            {text}
          </span>
          <span className="figure-word">{SURPRISE_WORDS[surprise]}</span>
        </span>
      )}
    </FigureCell>
  );
}

/** What was expected. */
export function ConsensusCell({ event }: EventProps): ReactNode {
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

/** The figure of the period before, as it was corrected, beside what it was first said to be. */
export function PreviousCell({ event }: EventProps): ReactNode {
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
      <span className="figure-line">
        <span title={exact(shown, event)}>{text}</span>
        {isRevised && (
          <span className="figure-old" title="Revised">
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

/** The figure with all its decimals, where the table shows fewer. */
function exact(value: number | null, event: CalendarEvent): string | undefined {
  if (value === null) return undefined;
  const text = formatExactFigure(value, event);
  return text === formatFigure(value, event) ? undefined : text;
}
