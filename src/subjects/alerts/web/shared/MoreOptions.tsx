import { type ReactNode, useState } from 'react';
import { Disclosure } from '#ui/Disclosure.tsx';
import { TextField } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { MAX_GROUP_NAME, SCAN_OPTIONS, startOf, valuesOf } from '../../answers/options.ts';
import type { ScanAlertDraft } from './alertRequests.ts';
import { EventFilterField, SoundField, UrgentField } from './OptionFields.tsx';

const { cooldownMinutes, dayMaximum, minuteMaximum } = SCAN_OPTIONS;
export const LIMITS = [
  [cooldownMinutes, 'Don’t repeat a stock for (min)'],
  [dayMaximum, 'Maximum per stock per day'],
  [minuteMaximum, 'Max messages/min (rest combined)'],
] as const;
/** Limits of alerts on announcements, which have no cooldown. */
export const NEWS_LIMITS = [LIMITS[1], LIMITS[2]] as const;

const Limits = ({ draft, change, limits }: MoreOptionsProps): ReactNode =>
  limits.map(([{ name, range }, label]) => (
    <NumberField
      key={name}
      label={label}
      value={draft[name]}
      limits={{ min: range.least, max: range.most, step: 1 }}
      onNumber={(value) => change({ [name]: value ?? range.start })}
    />
  ));

const { event: _event, scope: _scope, ...MORE } = SCAN_OPTIONS;
const START = valuesOf(SCAN_OPTIONS, startOf(SCAN_OPTIONS));

const hasMore = (draft: ScanAlertDraft): boolean =>
  Object.values(MORE).some(({ name }) => (draft[name] || null) !== (START[name] || null));

type MoreOptionsProps = {
  draft: ScanAlertDraft;
  change(part: Partial<Omit<ScanAlertDraft, 'scan'>>): void;
  limits: typeof LIMITS | typeof NEWS_LIMITS;
  children?: ReactNode;
};

/** Everything that most alerts do not need; open if something in it is set. */
export function MoreOptions({ draft, change, limits, children }: MoreOptionsProps): ReactNode {
  const [startsOpen] = useState(() => limits === LIMITS && hasMore(draft));
  return (
    <Disclosure label="More" isOpen={startsOpen}>
      <div className="stack gap-4">
        {children}
        <div className="form-row">
          <Limits draft={draft} change={change} limits={limits} />
          <TextField
            label="Name (optional)"
            value={draft.name ?? ''}
            onChange={(event) => change({ name: event.target.value || null })}
          />
          <TextField
            label="Group (optional)"
            value={draft.group ?? ''}
            maxLength={MAX_GROUP_NAME}
            onChange={({ target }) => change({ group: target.value || null })}
          />
          <SoundField sound={draft.sound} onChange={(sound) => change({ sound })} />
          <EventFilterField filter={draft.event_guard} onChange={(event_guard) => change({ event_guard })} />
          <UrgentField urgent={draft.urgent} onChange={(urgent) => change({ urgent })} />
        </div>
      </div>
    </Disclosure>
  );
}
