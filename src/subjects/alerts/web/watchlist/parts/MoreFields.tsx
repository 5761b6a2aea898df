import { type ReactNode, useId, useState } from 'react';
import type { AlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import {
  MAX_ALERT_NOTE,
  MAX_GROUP_NAME,
  startOf,
  STOCK_OPTIONS,
  toldOf,
} from '#subjects/alerts/answers/options.ts';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { formatTime } from '#texts/format.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { TextField } from '#ui/TextField.tsx';
import { loadedAlerts } from '../alerts/alertStore.ts';
import { SoundField } from '#subjects/alerts/web/shared/SoundField.tsx';
import { GuardField } from '#subjects/alerts/web/shared/GuardField.tsx';

type ExpiryFieldProps = {
  /** ISO 8601; null for never. */
  expiresAt: string | null;
  isWrong: boolean;
  onChange(expiresAt: string | null): void;
};

/** As the box holds it: '2026-11-27T16:10', in the market's time. */
function textOf(expiresAt: string | null): string {
  if (expiresAt === null) return '';
  const at = Date.parse(expiresAt);
  return `${sydneyDate(at)}T${formatTime(at)}`;
}

/** @returns ISO 8601; null for an empty or unfinished text */
function momentOf(text: string): string | null {
  const [date = '', time = ''] = text.split('T');
  const [hour, minute] = time.split(':').map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || hour === undefined || minute === undefined) return null;
  return new Date(fromSydney(date, hour, minute)).toISOString();
}

/** When an alert is off by itself. A part of a date is no time yet: it is taken when the box is left, or by Enter. */
function ExpiryField({ expiresAt, isWrong, onChange }: ExpiryFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    if (typed === null) return;
    setTyped(null);
    onChange(momentOf(typed));
  };
  return (
    <TextField
      label="Expires (Sydney time; empty for never)"
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

/** What is offered, and what was chosen elsewhere. */
const cooldownOptions = (chosen: number): { id: string; label: string }[] =>
  (COOLDOWNS.includes(chosen) ? COOLDOWNS : [...COOLDOWNS, chosen].sort((a, b) => a - b)).map((minutes) => ({
    id: String(minutes),
    label: minutes < 60 ? `${minutes} min` : `${minutes / 60} h`,
  }));

const { name: _name, persistent: _persistent, urgent: _urgent, ...MORE } = STOCK_OPTIONS;
const START = toldOf(STOCK_OPTIONS, startOf(STOCK_OPTIONS));

/** How many of the fields under More say something. */
const countSet = (draft: AlertDraft): number =>
  Object.values(MORE).filter(({ name }) => (draft[name] || null) !== START[name]).length;

/** The groups of the alerts that are loaded. */
const knownGroups = (): string[] => [
  ...new Set(
    [...loadedAlerts.value.values()].flatMap(({ editors }) =>
      editors.flatMap((one) => one.state.value.saved?.group ?? []),
    ),
  ),
];

/** What is rarely used of an alert. It is open where any of it was chosen. */
export function MoreFields({ editor }: { editor: AlertEditor }): ReactNode {
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
        label="Note (goes into the message)"
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
          label="Quiet after it fired"
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
      <GuardField guard={draft.event_guard} onChange={(event_guard) => editor.choose({ event_guard })} />
    </div>
  );
}

type GroupFieldProps = {
  group: string | null;
  isWrong: boolean;
  onType(group: string | null): void;
  onDone(): void;
};

/** What an alert is filed under; the groups that there are complete what is typed. */
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
