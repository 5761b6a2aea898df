import { type ReactNode, useId } from 'react';
import { meta } from '#web/live/market.ts';
import { Toggle } from '#ui/Toggle.tsx';
import { DEFAULT_GUARD, type EventGuard, GUARD_CURRENCIES } from '#subjects/alerts/rules/eventGuard.ts';

type GuardFieldProps = { guard: EventGuard | null; onChange(guard: EventGuard | null): void };

/** Whether an alert mentions events of HIGH impact, and of which currencies. */
export function GuardField({ guard, onChange }: GuardFieldProps): ReactNode {
  return (
    <>
      <Toggle
        label="Mention HIGH events (± 5 min) in the message"
        checked={guard !== null}
        onChange={(isOn) => onChange(isOn ? DEFAULT_GUARD : null)}
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
          // One at least: without any the choice would say nothing.
          disabled={currencies.includes(one) && isLast}
          onChange={(isOn) => onChange(withCurrency(guard, one, isOn))}
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

/** In the order in which they are offered. */
const withCurrency = (guard: EventGuard, one: string, isOn: boolean): EventGuard => ({
  ...guard,
  currencies: GUARD_CURRENCIES.filter((other) => (other === one ? isOn : guard.currencies.includes(other))),
});

/** Why not all events are known; null if they are. */
function noteOf(): string | null {
  const calendar = meta.value?.calendar;
  if (calendar === undefined) return null;
  if (calendar === null) return 'The economic calendar is switched off: no event is known.';
  return calendar.healthy
    ? null
    : 'The calendar’s source reports a problem: only the last known events are mentioned.';
}
