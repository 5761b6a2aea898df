import { MAX_ALERT_NAME } from '#subjects/alerts/answers/options.ts';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { type ReactNode, useId } from 'react';
import type { Destinations } from '#subjects/alerts/rules/alert.ts';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { Toggle } from '#ui/Toggle.tsx';
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
import { MoreFields } from './MoreFields.tsx';
import { TextField } from '#ui/TextField.tsx';

type DestinationTogglesProps = { destinations: Destinations; onChange(destinations: Destinations): void };

/** Where an alert is sent: chats and devices, as far as there are any. */
function DestinationToggles({ destinations, onChange }: DestinationTogglesProps): ReactNode {
  const linked = linkedChats.value;
  const own = ownDevices.value;
  if (linked?.length === 0 && devicesInUse(own).length === 0 && !hasDevices(destinations.devices)) {
    return (
      <p className="field-help">
        Shown in the browser. To get it on your phone,{' '}
        <a href={`#${SETTINGS_PATH}`}>
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

/** A toggle for each platform on which there is a linked chat, and what is wrong with that. */
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

/** Why nothing, or not everything, arrives on a platform; null when all of its chats work. */
function noteOn(own: readonly LinkedChat[]): string | null {
  const broken = own.filter((chat) => chat.broken !== null);
  const unconfirmed = own.filter((chat) => chat.broken === null && !chat.confirmed);
  const failing = broken.length + unconfirmed.length;
  if (failing === 0) return null;
  const of = own.length > 1 ? `${failing} of ${own.length} chats: ` : '';
  const reason = broken[0]?.broken;
  return `${of}${reason ? `Can’t deliver: ${reason}` : 'Not confirmed: answer the bot’s question in that chat first.'}`;
}

/** What an alert is called, whether it repeats, and where it goes; what is rarely used stands under More. */
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
