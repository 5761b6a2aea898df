import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { answerText, standingText } from '#subjects/alerts/rules/seenText.ts';
import { formatClock } from '#texts/format.ts';
import { fetchEvaluation } from '../api.ts';
import type { EvaluationView } from '#subjects/alerts/rules/alertView.ts';

/** How often the open editor asks, ms. */
const POLL_MS = 2000;

/**
 * The last evaluation of a saved alert, asked for again and again while the window is visible.
 * @returns undefined before the first answer; null when the last one failed
 */
function useEvaluation(id: number): EvaluationView | null | undefined {
  const [evaluation, setEvaluation] = useState<EvaluationView | null>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isOver = false;
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking || isOver || document.hidden) return;
      isAsking = true;
      const answer = await fetchEvaluation(id).catch((problem: unknown) => {
        console.warn('The last evaluation could not be read.', problem);
        return null;
      });
      isAsking = false;
      if (isOver) return;
      setEvaluation(answer);
      timer = setTimeout(() => void ask(), POLL_MS);
    };
    const onVisible = () => void ask();
    document.addEventListener('visibilitychange', onVisible);
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [id]);
  return evaluation;
}

type LastEvaluationProps = { id: number; symbol: string; isActive: boolean };

/** What an alert's conditions saw last, one by one, or why they were not evaluated. */
export function LastEvaluation({ id, symbol, isActive }: LastEvaluationProps): ReactNode {
  return (
    <section className="last-evaluation gap-0-3 align-baseline table-text row" aria-label="Last check">
      <h3 className="small">Now</h3>
      {isActive ? (
        <Polled id={id} symbol={symbol} />
      ) : (
        <p className="muted">not checked: the alert is switched off</p>
      )}
    </section>
  );
}

function Polled({ id, symbol }: { id: number; symbol: string }): ReactNode {
  const evaluation = useEvaluation(id);
  return <p>{evaluation ? <Result evaluation={evaluation} symbol={symbol} /> : waitingText(evaluation)}</p>;
}

const waitingText = (evaluation: null | undefined): string =>
  evaluation === null ? 'The last check could not be loaded.' : 'Loading…';

function Result({ evaluation, symbol }: { evaluation: EvaluationView; symbol: string }): ReactNode {
  const { at, notEvaluated, conditions, guard } = evaluation;
  return (
    <>
      {conditions.map((seen, index) => {
        const { answer, text } = standingText(seen, conditions.length === 1);
        return (
          // Their order is all that tells them apart.
          <Fragment key={index}>
            {index > 0 && ' · '}
            <strong className={answerText(seen) === 'yes' ? 'up' : 'muted'}>{answer}</strong>: {text}
          </Fragment>
        );
      })}
      {notEvaluated !== null && (
        <em className="warn-text">
          {conditions.length > 0 && ' · '}not checked: {notEvaluated}
        </em>
      )}
      {conditions.length === 0 && notEvaluated === null && `Not checked yet: ${symbol} has not traded since.`}
      {guard !== null && <em className="warn-text"> · {guard}</em>}
      {at !== null && <span className="muted small"> at {formatClock(at)}</span>}
    </>
  );
}
