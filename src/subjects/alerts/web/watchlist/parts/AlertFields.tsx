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
import type { Destinations } from '#subjects/alerts/rules/recipient.ts';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import { settingsPath } from '#web/router/routes.ts';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import {
  type LinkedChat,
  linkedChats,
  linkedChatsError,
  loadLinkedChats,
} from '#subjects/chats/web/shared/linkedChats.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';
import { devicesInUse, ownDevices } from '#subjects/devices/web/shared/devices.ts';
import { couldBeDevice, DeviceLink, DeviceToggles } from '#subjects/devices/web/shared/DeviceToggles.tsx';
import { Button } from '#ui/Button.tsx';
import type { AlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import { formatTime } from '#texts/format.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { loadedAlerts } from '../alerts/alertStore.ts';
import { SoundField, EventFilterField } from '../../shared/OptionFields.tsx';

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

const { name: _name, persistent: _persistent, urgent: _urgent, ...MORE } = STOCK_OPTIONS;
const START = valuesOf(STOCK_OPTIONS, startOf(STOCK_OPTIONS));

const countSet = (draft: AlertDraft): number =>
  Object.values(MORE).filter(({ name }) => (draft[name] || null) !== START[name]).length;

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
        label="Note (included in the message)"
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

type DestinationTogglesProps = { destinations: Destinations; onChange(destinations: Destinations): void };

function DestinationToggles({ destinations, onChange }: DestinationTogglesProps): ReactNode {
  const linked = linkedChats.value;
  const own = ownDevices.value;
  if (linked?.length === 0 && devicesInUse(own).length === 0 && !hasDevices(destinations.devices)) {
    return (
      <p className="field-help">
        Shown in the browser. To get it on your phone,{' '}
        <a href={`#${settingsPath(couldBeDevice() ? 'notifications' : 'linked-accounts')}`}>
          {couldBeDevice() ? 'link a chat or allow notifications in Settings' : 'link a chat in Settings'}
        </a>
        .
      </p>
    );
  }
  return (
    <>
      <ChatToggles destinations={destinations} onChange={onChange} />
      <DeviceToggles
        own={own}
        choice={destinations.devices}
        hasChat={linked?.some(({ platform }) => destinations[platform]) ?? false}
        onChange={(devices) => onChange({ ...destinations, devices })}
      />
      <DeviceLink own={own} />
    </>
  );
}

function ChatToggles({ destinations, onChange }: DestinationTogglesProps): ReactNode {
  const linked = linkedChats.value;
  if (linked === null) {
    return linkedChatsError.value !== null ? (
      <p className="field-help">
        Linked chats could not be loaded. <Button onClick={() => void loadLinkedChats()}>Retry</Button>
      </p>
    ) : null;
  }
  return CHAT_PLATFORMS.map((platform) => {
    const own = linked.filter((chat) => chat.platform === platform);
    return (
      own.length > 0 && (
        <Destination
          key={platform}
          platform={platform}
          own={own}
          isOn={destinations[platform]}
          onChange={(isOn) => onChange({ ...destinations, [platform]: isOn })}
        />
      )
    );
  });
}

type DestinationProps = {
  platform: ChatPlatform;
  own: readonly LinkedChat[];
  isOn: boolean;
  onChange(isOn: boolean): void;
};

function Destination({ platform, own, isOn, onChange }: DestinationProps): ReactNode {
  const noteId = useId();
  const note = noteOn(own);
  return (
    <span className="row gap-0-3">
      <Toggle
        label={PLATFORM_NAMES[platform]}
        checked={isOn}
        describedBy={note === null ? undefined : noteId}
        onChange={onChange}
      />
      {note !== null && (
        <span className="warn-text small" id={noteId}>
          {note}
        </span>
      )}
    </span>
  );
}

/** Why nothing, or not everything, arrives on a platform; null if all chats work. */
function noteOn(own: readonly LinkedChat[]): string | null {
  const broken = own.filter((chat) => chat.broken !== null);
  const unconfirmed = own.filter((chat) => chat.broken === null && !chat.confirmed);
  const failing = broken.length + unconfirmed.length;
  if (failing === 0) return null;
  const of = own.length > 1 ? `${failing} of ${own.length} chats: ` : '';
  const reason = broken[0]?.broken;
  return `${of}${reason ? `Can’t deliver: ${reason}` : 'Not confirmed: answer the bot’s question in that chat.'}`;
}

export function AlertFields({ editor }: { editor: AlertEditor }): ReactNode {
  const { draft } = editor.state.value;
  return (
    <div className="alert-fields row">
      <TextField
        label="Name (optional)"
        value={draft.name ?? ''}
        maxLength={MAX_ALERT_NAME}
        autoComplete="off"
        onChange={({ target }) => editor.type({ name: target.value || null })}
        onBlur={editor.flush}
      />
      <div className="alert-toggles row">
        <Toggle
          label="Repeat each time"
          checked={draft.persistent}
          onChange={(persistent) => editor.choose({ persistent })}
        />
        <DestinationToggles
          destinations={draft.destinations}
          onChange={(destinations) => editor.choose({ destinations })}
        />
        <Toggle
          label="Urgent"
          name="Urgent: not held by quiet hours"
          checked={draft.urgent}
          onChange={(urgent) => editor.choose({ urgent })}
        />
      </div>
      <MoreFields editor={editor} />
    </div>
  );
}
