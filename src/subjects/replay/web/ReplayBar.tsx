import { MINUTE_MS } from '#lib/units.ts';
import './replay.css';
import PauseIcon from 'lucide-react/icons/pause';
import PlayIcon from 'lucide-react/icons/play';
import { useEffect, useId, useState, type CSSProperties, useMemo, useRef } from 'react';
import { formatShortDate, formatTime } from '#texts/format.ts';
import type { ReplayInfo } from '#market/rules/stream.ts';
import { sydneyDate, sydneyParts } from '#lib/sydneyTime.ts';
import { marketNow, meta } from '#web/live/market.ts';
import { IconButton } from '#ui/Button.tsx';
import { twoDigits } from '#lib/text.ts';
import { phaseName, phasesBetween } from '#market/rules/replay.ts';
import { RangeInput } from '#ui/Field.tsx';
import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { messageOf, request } from '#web/api/client.ts';

/** State of the replay; null if no recording is played. */
const replay: ReadonlySignal<ReplayInfo | null> = computed(() => meta.value?.replay ?? null);

const problem = signal<string | null>(null);

async function change(made: Promise<unknown>): Promise<void> {
  try {
    await made;
    problem.value = null;
  } catch (refused) {
    problem.value = messageOf(refused, 'The action failed. Try again.');
  }
}

const setPaused = (paused: boolean): Promise<void> =>
  change(request('POST /api/replay/pause', { body: { paused } }));
const setSpeed = (speed: number): Promise<void> =>
  change(request('POST /api/replay/speed', { body: { speed } }));
/** @param time epoch ms by the market's clock */
const jumpTo = (time: number): Promise<void> => change(request('POST /api/replay/jump', { body: { time } }));

/** Delay before a time is requested, ms, so that a held key requests only the last one. */
const SETTLE_MS = 200;

type TimeSliderProps = Pick<ReplayInfo, 'from' | 'until'> & {
  /** Market time, epoch ms. */
  now: number;
  onChoose(time: number): Promise<void>;
};

/** The slider's position. A time is requested only when it rests. */
function useSlider({ from, until, now, onChoose }: TimeSliderProps) {
  const [wanted, setWanted] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function choose(time: number): Promise<void> {
    await onChoose(Math.min(until, Math.max(from, time)));
    // The position stays if it was moved again during the request.
    setWanted((latest) => (latest === time ? null : latest));
  }

  function move(time: number): void {
    setWanted(time);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void choose(time), SETTLE_MS);
  }
  return { shown: wanted ?? now, move };
}

export function TimeSlider(props: TimeSliderProps) {
  const { from, until } = props;
  const { shown, move } = useSlider(props);
  const phases = useMemo(() => phasesBetween(from, until), [from, until]);
  const current = phases.find((span) => shown >= span.since && shown < span.until);
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
            className={`time-slider-phase muted nowrap is-${phase}`}
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

const SPEEDS = [1, 2, 5, 10, 30, 60];
const REFRESH_MS = 250;

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

export function ReplayBar() {
  const known = replay.value;
  return known && <Controls {...known} />;
}

function Controls({ from, until, isPaused, speed, hasEnded, isCutOff }: ReplayInfo) {
  const now = Math.min(until, Math.max(from, useMarketTime()));
  const { second } = sydneyParts(now);
  return (
    <section className="replay-bar bar" aria-label="Replay">
      <IconButton
        label={isPaused ? 'Play' : 'Pause'}
        disabled={hasEnded}
        onClick={() => void setPaused(!isPaused)}
      >
        {isPaused ? <PlayIcon size={16} aria-hidden /> : <PauseIcon size={16} aria-hidden />}
      </IconButton>
      <Speed speed={speed} />
      <span className="replay-time strong nowrap">
        {sydneyDate(from) !== sydneyDate(until) && `${formatShortDate(sydneyDate(now), sydneyDate(now))} `}
        {formatTime(now)}
        <span className="muted">:{twoDigits(second)}</span>
      </span>
      <TimeSlider from={from} until={until} now={now} onChoose={jumpTo} />
      <p className="replay-words muted" role="status">
        {hasEnded && `The recording ends here${isCutOff ? ': it was cut off' : ''}. Choose another time.`}
        {!hasEnded && isPaused && 'Paused'}
      </p>
      {problem.value !== null && (
        <p className="down" role="alert">
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
        className="input is-small"
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

/** Moves a simulated market forward, and shows why if that fails. */
