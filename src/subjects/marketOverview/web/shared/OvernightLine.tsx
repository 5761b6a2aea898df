import type { ReactNode } from 'react';
import { OVERNIGHT } from '#market/rules/overnight.ts';
import { changeText, wayOf } from '../../rules/overviewText.ts';
import { formatNumber } from '#texts/format.ts';
import { Trend } from '#ui/Trend.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import type { Known } from '#lib/contract/fields.ts';
import { overnightAnswer } from '../../answers/overview.ts';
import './overnight.css';

type Figures = NonNullable<Known<typeof overnightAnswer>>['figures'];

const fetchOvernight = () => request('GET /api/data/overnight', { read: readerOf(overnightAnswer) });
const EVERY_MS = 60_000;

/** Figures of other markets; nothing if there are none. */
export function OvernightFigures({ figures }: { figures: Figures }): ReactNode {
  if (figures.length === 0) return null;
  return (
    <ul className="overnight wrap gap-0-3" aria-label="Other markets">
      {OVERNIGHT.map(({ id, name, decimals }) => {
        const figure = figures.find((one) => one.id === id);
        return (
          figure && (
            <li key={id}>
              <span className="muted">{name}</span>
              {figure.last !== null && <> {formatNumber(figure.last, decimals)}</>}{' '}
              <Trend direction={wayOf(figure.change)}>{changeText(figure.change)}</Trend>
            </li>
          )
        );
      })}
    </ul>
  );
}

/** The figures as a line of another page. Without them the page needs no line, so a failed load shows none. */
export function OvernightLine(): ReactNode {
  const { data, error, reload } = useLoaded(fetchOvernight, '');
  useReloads(true, reload, EVERY_MS);
  if (data) return <OvernightFigures figures={data.figures} />;
  // Reserves the line, so that the page does not move when it is there.
  return error === null && <div className="overnight-waiting" />;
}
