import './TimeSlider.css';
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { formatTime } from '../../../texts/format.ts';
import type { ReplayInfo } from '../../../market/rules/stream.ts';
import { phaseName, phasesBetween } from '../../../market/rules/replayPhases.ts';
import { RangeInput } from '../../../../web/ui/RangeInput.tsx';

const MINUTE_MS = 60_000;
/** A key that is held down asks for one moment, not for each minute on the way. */
const SETTLE_MS = 200;

type TimeSliderProps = Pick<ReplayInfo, 'from' | 'until'> & {
  /** The market's time, epoch ms. */
  now: number;
  onChoose(time: number): Promise<void>;
};

/** A slider over the minutes of a recording, with the exchange's phases below it. What it is moved to is asked for once it rests. */
export function TimeSlider({ from, until, now, onChoose }: TimeSliderProps) {
  const [wanted, setWanted] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const phases = useMemo(() => phasesBetween(from, until), [from, until]);
  const shown = wanted ?? now;
  const current = phases.find((span) => shown >= span.since && shown < span.until);

  async function choose(time: number): Promise<void> {
    await onChoose(Math.min(until, Math.max(from, time)));
    // Unless it was moved on meanwhile.
    setWanted((latest) => (latest === time ? null : latest));
  }

  function move(time: number): void {
    setWanted(time);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void choose(time), SETTLE_MS);
  }

  const part = (time: number): string => `${((time - from) / Math.max(1, until - from)) * 100}%`;
  return (
    <div className="time-slider">
      <RangeInput
        aria-label="Time of the recording"
        aria-valuetext={`${formatTime(shown)} Sydney time${current ? `, ${phaseName(current.phase)}` : ''}`}
        min={Math.floor(from / MINUTE_MS) * MINUTE_MS}
        max={until}
        step={MINUTE_MS}
        value={shown}
        style={{ '--played': part(shown) } as CSSProperties}
        onChange={(event) => move(event.target.valueAsNumber)}
      />
      <div className="time-slider-phases" aria-hidden="true">
        {phases.map(({ phase, since, until: end }) => (
          <span
            key={since}
            className={`time-slider-phase is-${phase}`}
            title={`${phaseName(phase)} from ${formatTime(since)}`}
            style={{ left: part(since), width: `calc(${part(end)} - ${part(since)})` }}
          >
            {end - since > (until - from) / 12 && phaseName(phase)}
          </span>
        ))}
      </div>
    </div>
  );
}
