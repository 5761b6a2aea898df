import { lazy, type ReactNode, type RefObject, Suspense } from 'react';
import { Field } from '#ui/Field.tsx';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { choices, choose, CURRENCIES, IMPACT_CHOICES } from '../choices.ts';
import { zoneOffset } from '../timeZones.ts';
import { zoneLabel } from '#web/shared/zoneNames.ts';
import './CalendarControls.css';

const TimeZoneSelect = lazy(async () => ({ default: (await import('./TimeZoneSelect.tsx')).TimeZoneSelect }));

const asOptions = <T extends string>(ids: readonly T[]) => ids.map((id) => ({ id, label: id }));
const CURRENCY_OPTIONS = asOptions(CURRENCIES);
const IMPACT_OPTIONS = asOptions(IMPACT_CHOICES);

type CalendarControlsProps = {
  /** The moment whose offsets are shown, epoch ms. */
  now: number;
  zoneRef: RefObject<HTMLInputElement | null>;
};

/** In which time zone the calendar is shown, and which of its events. */
export function CalendarControls({ now, zoneRef }: CalendarControlsProps): ReactNode {
  const { zone, currency, impact } = choices.value;
  return (
    <div className="calendar-controls" role="group" aria-label="Choices">
      <div className="zone-box">
        <Suspense fallback={<ZoneText zone={zone} />}>
          <TimeZoneSelect
            zone={zone}
            onChoose={(chosen) => choose({ zone: chosen })}
            now={now}
            inputRef={zoneRef}
          />
        </Suspense>
        <span className="zone-offset">{zoneOffset(zone, now)}</span>
      </div>
      <NativeSelect
        label="Currency"
        value={currency}
        options={CURRENCY_OPTIONS}
        onChoose={(chosen) => choose({ currency: chosen })}
      />
      <NativeSelect
        label="Impact"
        value={impact}
        options={IMPACT_OPTIONS}
        onChoose={(chosen) => choose({ impact: chosen })}
      />
    </div>
  );
}

/** Takes the place of the box until its code is there. */
const ZoneText = ({ zone }: { zone: string }): ReactNode => (
  <Field id="calendar-zone" label="Time zone">
    <input id="calendar-zone" className="input" value={zoneLabel(zone)} readOnly />
  </Field>
);
