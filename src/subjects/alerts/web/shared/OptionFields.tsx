import { type ReactNode, useId } from 'react';
import { ALERT_SOUNDS, type AlertSound, SOUND_NAMES } from '#subjects/alerts/answers/options.ts';
import { Button } from '#ui/Button.tsx';
import { NativeSelect, Toggle } from '#ui/Field.tsx';
import { playAlertSound } from './alertPreferences.ts';
import { meta } from '#web/live/market.ts';
import { DEFAULT_GUARD, type EventFilter, GUARD_CURRENCIES } from '../../rules/eventFilter.ts';

const OPTIONS: readonly { id: AlertSound | 'usual'; label: string }[] = [
  { id: 'usual', label: 'As in Settings' },
  ...ALERT_SOUNDS.map((id) => ({ id, label: SOUND_NAMES[id] })),
];

type SoundFieldProps = { sound: AlertSound | null; onChange(sound: AlertSound | null): void };

export function SoundField({ sound, onChange }: SoundFieldProps): ReactNode {
  return (
    <div className="cluster align-end">
      <NativeSelect
        label="Sound"
        value={sound ?? 'usual'}
        options={OPTIONS}
        onChoose={(chosen) => onChange(chosen === 'usual' ? null : chosen)}
      />
      <Button disabled={sound === 'none'} onClick={() => void playAlertSound(sound)}>
        Play
      </Button>
    </div>
  );
}

type UrgentFieldProps = { urgent: boolean; onChange(urgent: boolean): void };

export const UrgentField = ({ urgent, onChange }: UrgentFieldProps): ReactNode => (
  <Toggle label="Urgent (also sent during quiet hours)" checked={urgent} onChange={onChange} />
);

type EventFilterFieldProps = { filter: EventFilter | null; onChange(filter: EventFilter | null): void };

export function EventFilterField({ filter, onChange }: EventFilterFieldProps): ReactNode {
  return (
    <>
      <Toggle
        label="Mention high-impact events (±5 min)"
        checked={filter !== null}
        onChange={(isOn) => onChange(isOn ? DEFAULT_GUARD : null)}
      />
      {filter !== null && <Currencies filter={filter} onChange={onChange} />}
    </>
  );
}

function Currencies({
  filter,
  onChange,
}: {
  filter: EventFilter;
  onChange(filter: EventFilter): void;
}): ReactNode {
  const noteId = useId();
  const note = noteOf();
  const { currencies } = filter;
  const isLast = currencies.length === 1;
  return (
    <div
      className="row gap-2-3"
      role="group"
      aria-label="Events of"
      aria-describedby={note === null ? undefined : noteId}
    >
      {GUARD_CURRENCIES.map((one) => (
        <Toggle
          key={one}
          label={one}
          checked={currencies.includes(one)}
          disabled={currencies.includes(one) && isLast}
          onChange={(isOn) => onChange(withCurrency(filter, one, isOn))}
        />
      ))}
      {note !== null && (
        <p className="warn-text small" id={noteId}>
          {note}
        </p>
      )}
    </div>
  );
}

const withCurrency = (filter: EventFilter, one: string, isOn: boolean): EventFilter => ({
  ...filter,
  currencies: GUARD_CURRENCIES.filter((other) => (other === one ? isOn : filter.currencies.includes(other))),
});

/** Why some events may be missing; null if the calendar is complete. */
function noteOf(): string | null {
  const calendar = meta.value?.calendar;
  if (calendar === undefined) return null;
  if (calendar === null) return 'The economic calendar is off: no events are known.';
  return calendar.healthy ? null : 'The calendar is not updating: event times may be out of date.';
}
