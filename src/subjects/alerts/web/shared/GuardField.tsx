import { type ReactNode, useId } from 'react';
import { meta } from '#web/live/market.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import {
  DEFAULT_GUARD_CURRENCIES,
  type EventGuard,
  GUARD_CURRENCIES,
  type GuardMode,
} from '#subjects/alerts/rules/eventGuard.ts';

const MODES: readonly { id: GuardMode | 'none'; label: string }[] = [
  { id: 'none', label: 'Fire as always' },
  { id: 'mark', label: 'Say so in the message' },
  { id: 'hold', label: 'Hold back until they are over' },
];

type GuardFieldProps = { guard: EventGuard | null; onChange(guard: EventGuard | null): void };

/** What an alert does from five minutes before an event of HIGH impact to five minutes after it. */
export function GuardField({ guard, onChange }: GuardFieldProps): ReactNode {
  const choose = (mode: GuardMode | 'none'): void =>
    onChange(
      mode === 'none' ? null : { mode, currencies: guard?.currencies ?? [...DEFAULT_GUARD_CURRENCIES] },
    );
  return (
    <>
      <NativeSelect
        label="Around HIGH events (± 5 min)"
        value={guard?.mode ?? 'none'}
        options={MODES}
        onChoose={choose}
      />
      {guard !== null && <Currencies guard={guard} onChange={onChange} />}
    </>
  );
}

function Currencies({
  guard,
  onChange,
}: {
  guard: EventGuard;
  onChange(guard: EventGuard): void;
}): ReactNode {
  const noteId = useId();
  const note = noteOf();
  const { currencies } = guard;
  const isLast = currencies.length === 1;
  return (
    <div
      className="guard-currencies"
      role="group"
      aria-label="Events of"
      aria-describedby={note === null ? undefined : noteId}
    >
      {GUARD_CURRENCIES.map((one) => (
        <Toggle
          key={one}
          label={one}
          checked={currencies.includes(one)}
          // One at least: without any the choice would say nothing.
          disabled={currencies.includes(one) && isLast}
          onChange={(isOn) => onChange(withCurrency(guard, one, isOn))}
        />
      ))}
      {note !== null && (
        <p className="destination-note is-warning" id={noteId}>
          {note}
        </p>
      )}
    </div>
  );
}

/** In the order in which they are offered. */
const withCurrency = (guard: EventGuard, one: string, isOn: boolean): EventGuard => ({
  ...guard,
  currencies: GUARD_CURRENCIES.filter((other) => (other === one ? isOn : guard.currencies.includes(other))),
});

/** What keeps the guard from knowing of all events; null for nothing. */
function noteOf(): string | null {
  const calendar = meta.value?.calendar;
  if (calendar === undefined) return null;
  if (calendar === null) return 'The economic calendar is switched off: no event is known.';
  return calendar.healthy
    ? null
    : 'The calendar’s source reports a problem: the guard goes by the last known events.';
}
