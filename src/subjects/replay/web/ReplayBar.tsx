import './ReplayBar.css';
import PauseIcon from 'lucide-react/icons/pause';
import PlayIcon from 'lucide-react/icons/play';
import { useEffect, useId, useState } from 'react';
import { formatShortDate, formatTime } from '../../../texts/format.ts';
import type { ReplayInfo } from '../../../market/rules/stream.ts';
import { sydneyDate, sydneyParts } from '../../../market/rules/sydneyTime.ts';
import { marketNow, meta } from '../../../../web/live/market.ts';
import { IconButton } from '../../../../web/ui/Button.tsx';
import { jumpTo, problem, replay, setPaused, setSpeed } from './state.ts';
import { TimeSlider } from './TimeSlider.tsx';
import { twoDigits } from '../../../lib/twoDigits.ts';

const SPEEDS = [1, 2, 5, 10, 30, 60];
const REFRESH_MS = 250;

/** The market's time, read again while it runs and whenever the server says something of it. */
function useMarketTime(): number {
  const [now, setNow] = useState(marketNow);
  const known = meta.value;
  const runs = (known?.clockSpeed ?? 0) > 0;
  useEffect(() => {
    const read = () => setNow(marketNow());
    read();
    const timer = runs ? setInterval(read, REFRESH_MS) : undefined;
    return () => clearInterval(timer);
  }, [known, runs]);
  return now;
}

/** Controls of a market that is played from a recording, for whoever may use them. */
export function ReplayBar() {
  const known = replay.value;
  return known && <Controls {...known} />;
}

function Controls({ from, until, isPaused, speed, hasEnded, isCutOff }: ReplayInfo) {
  const now = Math.min(until, Math.max(from, useMarketTime()));
  const { second } = sydneyParts(now);
  return (
    <section className="replay-bar" aria-label="Replay">
      <IconButton
        label={isPaused ? 'Play' : 'Pause'}
        disabled={hasEnded}
        onClick={() => void setPaused(!isPaused)}
      >
        {isPaused ? <PlayIcon size={16} aria-hidden /> : <PauseIcon size={16} aria-hidden />}
      </IconButton>
      <Speed speed={speed} />
      <span className="replay-time">
        {sydneyDate(from) !== sydneyDate(until) && `${formatShortDate(sydneyDate(now), sydneyDate(now))} `}
        {formatTime(now)}
        <span className="replay-seconds">:{twoDigits(second)}</span>
      </span>
      <TimeSlider from={from} until={until} now={now} onChoose={jumpTo} />
      <p className="replay-words" role="status">
        {hasEnded && `The recording ends here${isCutOff ? ': it was cut off' : ''}. Choose another time.`}
        {!hasEnded && isPaused && 'Paused'}
      </p>
      {problem.value !== null && (
        <p className="replay-problem" role="alert">
          {problem.value}
        </p>
      )}
    </section>
  );
}

function Speed({ speed }: Pick<ReplayInfo, 'speed'>) {
  const id = useId();
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed].sort((a, b) => a - b);
  return (
    <span className="replay-speed">
      <label className="visually-hidden" htmlFor={id}>
        Speed
      </label>
      <select
        id={id}
        className="input"
        value={speed}
        onChange={(event) => void setSpeed(Number(event.target.value))}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
    </span>
  );
}
