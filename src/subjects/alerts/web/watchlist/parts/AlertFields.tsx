import {
  MAX_ALERT_NAME,
  MAX_ALERT_NOTE,
  MAX_GROUP_NAME,
  startOf,
  STOCK_OPTIONS,
  valuesOf,
} from '#subjects/alerts/answers/options.ts';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { type ReactNode, useId, useState } from 'react';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import type { AlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import { formatTime } from '#texts/format.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { loadedAlerts } from '../alerts/alertStore.ts';
import { DestinationToggles } from '../../shared/Destinations.tsx';
import { SoundField, EventFilterField, UrgentField } from '../../shared/OptionFields.tsx';

type ExpiryFieldProps = {
  expiresAt: string | null;
  isWrong: boolean;
  onChange(expiresAt: string | null): void;
};

/** '2026-11-27T16:10' in market time; empty for null. */
function textOf(expiresAt: string | null): string {
  if (expiresAt === null) return '';
  const at = Date.parse(expiresAt);
  return `${sydneyDate(at)}T${formatTime(at)}`;
}

/** @returns ISO 8601; null for empty or incomplete text */
function momentOf(text: string): string | null {
  const [date = '', time = ''] = text.split('T');
  const [hour, minute] = time.split(':').map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || hour === undefined || minute === undefined) return null;
  return new Date(fromSydney(date, hour, minute)).toISOString();
}

/** The expiry of an alert. It is applied on blur or Enter, because a partial date is not a time yet. */
function ExpiryField({ expiresAt, isWrong, onChange }: ExpiryFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    if (typed === null) return;
    setTyped(null);
    onChange(momentOf(typed));
  };
  return (
    <TextField
      label="Expires (Sydney time, optional)"
      type="datetime-local"
      value={typed ?? textOf(expiresAt)}
      aria-invalid={isWrong || undefined}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}

const COOLDOWNS = [1, 5, 15, 30, 60, 120, 240];

const cooldownOptions = (chosen: number): { id: string; label: string }[] =>
  (COOLDOWNS.includes(chosen) ? COOLDOWNS : [...COOLDOWNS, chosen].sort((a, b) => a - b)).map((minutes) => ({
    id: String(minutes),
    label: minutes < 60 ? `${minutes} min` : `${minutes / 60} h`,
  }));

const { name: _name, persistent: _persistent, ...MORE } = STOCK_OPTIONS;
const START = valuesOf(STOCK_OPTIONS, startOf(STOCK_OPTIONS));

const countSet = (draft: AlertDraft): number =>
  Object.values(MORE).filter(({ name }) => (draft[name] || null) !== (START[name] || null)).length;

const knownGroups = (): string[] => [
  ...new Set(
    [...loadedAlerts.value.values()].flatMap(({ editors }) =>
      editors.flatMap((one) => one.state.value.saved?.group ?? []),
    ),
  ),
];

function MoreFields({ editor }: { editor: AlertEditor }): ReactNode {
  const { draft } = editor.state.value;
  const [isOpen, setOpen] = useState(() => countSet(draft) > 0);
  const count = countSet(draft);
  return (
    <details
      className="disclosure alert-more"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{count === 0 ? 'More' : `More (${count})`}</summary>
      <MoreBody editor={editor} />
    </details>
  );
}

function MoreBody({ editor }: { editor: AlertEditor }): ReactNode {
  const { draft, refusal } = editor.state.value;
  return (
    <div className="alert-fields row">
      <TextField
        label="Text added to the message (optional)"
        value={draft.note ?? ''}
        maxLength={MAX_ALERT_NOTE}
        autoComplete="off"
        onChange={({ target }) => editor.type({ note: target.value || null })}
        onBlur={editor.flush}
      />
      <GroupField
        group={draft.group}
        isWrong={refusal?.field === 'group'}
        onType={(group) => editor.type({ group })}
        onDone={editor.flush}
      />
      <SoundField sound={draft.sound} onChange={(sound) => editor.choose({ sound })} />
      {draft.persistent && (
        <NativeSelect
          label="Cooldown after firing"
          value={String(draft.cooldown_minutes)}
          options={cooldownOptions(draft.cooldown_minutes)}
          onChoose={(minutes) => editor.choose({ cooldown_minutes: Number(minutes) })}
        />
      )}
      <ExpiryField
        expiresAt={draft.expires_at}
        isWrong={refusal?.field === 'expires_at'}
        onChange={(expires_at) => editor.choose({ expires_at })}
      />
      <EventFilterField
        filter={draft.event_guard}
        onChange={(event_guard) => editor.choose({ event_guard })}
      />
      <UrgentField urgent={draft.urgent} onChange={(urgent) => editor.choose({ urgent })} />
    </div>
  );
}

type GroupFieldProps = {
  group: string | null;
  isWrong: boolean;
  onType(group: string | null): void;
  onDone(): void;
};

function GroupField({ group, isWrong, onType, onDone }: GroupFieldProps): ReactNode {
  const listId = useId();
  return (
    <>
      <TextField
        label="Group (optional)"
        value={group ?? ''}
        maxLength={MAX_GROUP_NAME}
        list={listId}
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => onType(target.value === '' ? null : target.value)}
        onBlur={onDone}
      />
      <datalist id={listId}>
        {knownGroups().map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

export function NameField({ editor }: { editor: AlertEditor }): ReactNode {
  return (
    <TextField
      label="Name (optional)"
      value={editor.state.value.draft.name ?? ''}
      maxLength={MAX_ALERT_NAME}
      autoComplete="off"
      onChange={({ target }) => editor.type({ name: target.value || null })}
      onBlur={editor.flush}
    />
  );
}

/** The persistent toggle of the specification. */
function OnceOrEachTime({ editor }: { editor: AlertEditor }): ReactNode {
  const helpId = useId();
  const { persistent } = editor.state.value.draft;
  return (
    <div>
      <div className="cluster">
        <span className={persistent ? 'muted' : 'strong'} aria-hidden>
          Once
        </span>
        <Toggle
          label={<span className={persistent ? 'strong' : 'muted'}>Each time</span>}
          describedBy={helpId}
          checked={persistent}
          onChange={(isOn) => editor.choose({ persistent: isOn })}
        />
      </div>
      <p className="field-help" id={helpId}>
        {persistent ? 'Fires whenever it becomes true again' : 'Switches itself off after it fires'}
      </p>
    </div>
  );
}

export function DeliveryFields({ editor }: { editor: AlertEditor }): ReactNode {
  return (
    <div className="alert-fields row">
      <OnceOrEachTime editor={editor} />
      <DestinationToggles
        destinations={editor.state.value.draft.destinations}
        onChange={(destinations) => editor.choose({ destinations })}
      />
      <MoreFields editor={editor} />
    </div>
  );
}
