import { DASH } from '../../../texts/format.ts';
import { shownFigures } from './figures.ts';
import type { Stats } from './readState.ts';
import './StateFigures.css';

/** A few figures behind each other, each with its name. */
export function StateFigures({ stats }: { stats: Stats }) {
  const figures = shownFigures(stats);
  if (figures.length === 0) return <span className="muted">{DASH}</span>;
  return (
    <ul className="state-figures">
      {figures.map(({ name, value }) => (
        <li key={name}>
          {name !== '' && <span className="muted">{name} </span>}
          {value}
        </li>
      ))}
    </ul>
  );
}
