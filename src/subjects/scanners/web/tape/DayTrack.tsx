import { type PointerEvent, type ReactNode, useState } from 'react';
import { formatTime, formatDate } from '#texts/format.ts';
import type { TapeDay } from '#subjects/scanners/answers/tape.ts';
import { MINUTE_MS, tapeHours } from '#subjects/scanners/rules/tape/tape.ts';
import { RangeInput } from '#ui/RangeInput.tsx';
import './DayTrack.css';
import { phasesOf } from '#market/rules/sessionClock.ts';

/** 'Friday 20 November'. */
export const dayText = (date: string): string => formatDate(date).replace(/ \d{4}$/, '');

/** A moment on a day's line: how far along it stands, 0 to 1, and what it is called. */
type TrackMark = { at: number; text: string };

const PHASES: Readonly<Record<string, string>> = {
  'pre-open': 'Pre-open',
  open: 'Open',
  'pre-cspa': 'Close',
};

/** Where the phases of a day begin on its line. */
function phaseMarks(date: string): TrackMark[] {
  const hours = tapeHours(date);
  if (!hours) return [];
  return phasesOf(date).flatMap(({ phase, since }) => {
    const name = PHASES[phase];
    if (name === undefined) return [];
    // The open is at 9:59:45: people call it ten.
    const time = formatTime(Math.ceil(since / MINUTE_MS) * MINUTE_MS);
    return [{ at: (since - hours.from) / (hours.to - hours.from), text: `${name} ${time}` }];
  });
}

/** Whether a minute was recorded, or one not much before it. */
const isRecorded = ({ spans }: TapeDay, time: number): boolean =>
  spans.some(({ from, to }) => time >= from && time <= to + 4 * MINUTE_MS);

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
export function DayTrack(props: DayTrackProps): ReactNode {
  const { label, day, time } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const hours = tapeHours(day.date);
  if (!hours) return null;
  const length = hours.to - hours.from;
  const minutes = Math.round(length / MINUTE_MS);
  const shareOf = (at: number) => (at - hours.from) / length;
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(width > 0 ? Math.min(1, Math.max(0, (clientX - left) / width)) : null);
  };
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
        <MinuteSlider {...props} from={hours.from} minutes={minutes} />
        {pointed !== null && (
          <span className="day-track-pointed" style={{ left: percent(pointed) }} aria-hidden="true">
            {formatTime(hours.from + Math.round(pointed * minutes) * MINUTE_MS)}
          </span>
        )}
        <PhaseMarks date={day.date} />
      </div>
    </div>
  );
}

type MinuteSliderProps = DayTrackProps & {
  /** Where the line begins, epoch ms. */
  from: number;
  minutes: number;
};

function MinuteSlider({ label, day, time, onChoose, from, minutes }: MinuteSliderProps): ReactNode {
  const last = day.spans.at(-1)?.to ?? from;
  const value = Math.round(((time ?? last) - from) / MINUTE_MS);
  const shown = formatTime(from + value * MINUTE_MS);
  return (
    <RangeInput
      min={0}
      max={minutes}
      step={1}
      value={value}
      aria-label={`Show the scanner as it stood: ${label}`}
      aria-valuetext={isRecorded(day, from + value * MINUTE_MS) ? shown : `${shown}, nothing was recorded`}
      onChange={(event) => onChoose(from + event.target.valueAsNumber * MINUTE_MS)}
    />
  );
}

function PhaseMarks({ date }: { date: string }): ReactNode {
  return (
    <span className="day-track-marks" aria-hidden="true">
      {phaseMarks(date).map(({ at, text }) => (
        <span key={text} style={{ left: percent(at) }}>
          {text}
        </span>
      ))}
    </span>
  );
}
