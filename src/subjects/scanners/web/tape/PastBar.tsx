import ChevronLeft from 'lucide-react/icons/chevron-left';
import { formatTime } from '../../../../texts/format.ts';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { fromSydney } from '../../../../market/rules/sydneyTime.ts';
import { MINUTE_MS } from '../../rules/tape/tape.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button, IconButton } from '../../../../../web/ui/Button.tsx';
import './PastBar.css';
import { dayText } from './tapeText.ts';

/** A minute of a session: its Sydney date, YYYY-MM-DD, and epoch ms. */
export type Moment = { date: string; time: number };

type PastBarProps = { moment: Moment; onChoose(moment: Moment | null): void };

/** Says that the tables are not live, moves by minutes, and leads back. */
export function PastBar({ moment, onChoose }: PastBarProps): ReactNode {
  const { date, time } = moment;
  const move = (minutes: number) => onChoose({ date, time: time + minutes * MINUTE_MS });
  const type = (text: string) => {
    const [hour, minute] = text.split(':').map(Number);
    if (hour === undefined || minute === undefined || Number.isNaN(hour + minute)) return;
    onChoose({ date, time: fromSydney(date, hour, minute) });
  };
  return (
    <div className="past-bar">
      <Banner variant="warn" action={<Steps {...{ time, move, type }} onBack={() => onChoose(null)} />}>
        As it stood at <b>{formatTime(time)}</b> on {dayText(date)}. Not live.
      </Banner>
    </div>
  );
}

type StepsProps = { time: number; move(minutes: number): void; type(text: string): void; onBack(): void };

function Steps({ time, move, type, onBack }: StepsProps): ReactNode {
  return (
    <span className="past-steps">
      <IconButton label="A minute earlier" onClick={() => move(-1)}>
        <ChevronLeft size={16} aria-hidden />
      </IconButton>
      <input
        type="time"
        className="input"
        aria-label="Time in Sydney"
        value={formatTime(time)}
        onChange={(event) => type(event.target.value)}
      />
      <IconButton label="A minute later" onClick={() => move(1)}>
        <ChevronRight size={16} aria-hidden />
      </IconButton>
      <Button variant="primary" onClick={onBack}>
        Back to now
      </Button>
    </span>
  );
}
