import { type PointerEvent, type ReactNode, useState } from 'react';
import { formatTime } from '../../../../texts/format.ts';
import { MINUTE_MS, type TapeDay, tapeHours } from '../../rules/tape/tape.ts';
import { RangeInput } from '../../../../../web/ui/RangeInput.tsx';
import './DayTrack.css';
import { isRecorded, phaseMarks } from './tapeText.ts';

type DayTrackProps = {
  /** 'Today', 'Friday 20 November'. */
  label: string;
  day: TapeDay;
  /** The minute that is shown, epoch ms; null when it is of another day, or live. */
  time: number | null;
  onChoose(time: number): void;
};

const percent = (share: number): string => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;

/** One day as a line from the pre-open to the close: where it was recorded, and a slider along it. */
export function DayTrack({ label, day, time, onChoose }: DayTrackProps): ReactNode {
  const [pointed, setPointed] = useState<number | null>(null);
  const hours = tapeHours(day.date);
  if (!hours) return null;
  const length = hours.to - hours.from;
  const minutes = Math.round(length / MINUTE_MS);
  const shareOf = (at: number) => (at - hours.from) / length;
  const last = day.spans.at(-1)?.to ?? hours.from;
  const value = Math.round(((time ?? last) - hours.from) / MINUTE_MS);
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(width > 0 ? Math.min(1, Math.max(0, (clientX - left) / width)) : null);
  };
  const shown = formatTime(hours.from + value * MINUTE_MS);
  return (
    <div className="day-track" data-chosen={time !== null || undefined}>
      <span className="day-track-label">{label}</span>
      <div className="day-track-line" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
        {day.spans.map(({ from, to }) => (
          <span
            key={from}
            className="day-track-recorded"
            style={{ left: percent(shareOf(from)), width: percent(Math.max(0.002, (to - from) / length)) }}
          />
        ))}
        <RangeInput
          min={0}
          max={minutes}
          step={1}
          value={value}
          aria-label={`Show the scanner as it stood: ${label}`}
          aria-valuetext={
            isRecorded(day, hours.from + value * MINUTE_MS) ? shown : `${shown}, nothing was recorded`
          }
          onChange={(event) => onChoose(hours.from + event.target.valueAsNumber * MINUTE_MS)}
        />
        {pointed !== null && (
          <span className="day-track-pointed" style={{ left: percent(pointed) }} aria-hidden="true">
            {formatTime(hours.from + Math.round(pointed * minutes) * MINUTE_MS)}
          </span>
        )}
        <span className="day-track-marks" aria-hidden="true">
          {phaseMarks(day.date).map(({ at, text }) => (
            <span key={text} style={{ left: percent(at) }}>
              {text}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}
