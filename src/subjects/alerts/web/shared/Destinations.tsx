import { type ReactNode, useId, useState } from 'react';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import type { Destinations } from '#subjects/alerts/rules/recipient.ts';
import {
  type LinkedChat,
  linkedChats,
  linkedChatsError,
  loadLinkedChats,
} from '#subjects/chats/web/shared/linkedChats.ts';
import {
  devicesError,
  devicesInUse,
  type OwnDevices,
  ownDevices,
} from '#subjects/devices/web/shared/devices.ts';
import { DeviceToggles } from '#subjects/devices/web/shared/DeviceToggles.tsx';
import { settingsPath } from '#web/router/routes.ts';
import { Button } from '#ui/Button.tsx';
import { Toggle } from '#ui/Field.tsx';
import { allowAlertsHere, phoneOfferLabel } from './phoneOffer.ts';

type DestinationTogglesProps = { destinations: Destinations; onChange(destinations: Destinations): void };

/** Where an alert is sent. The linked chats and the devices must be loaded. */
export function DestinationToggles({ destinations, onChange }: DestinationTogglesProps): ReactNode {
  const linked = linkedChats.value;
  const own = ownDevices.value;
  return (
    <div className="row gap-2-3">
      <ChatToggles destinations={destinations} onChange={onChange} />
      <DeviceToggles
        own={own}
        choice={destinations.devices}
        hasChat={linked?.some(({ platform }) => destinations[platform]) ?? false}
        onChange={(devices) => onChange({ ...destinations, devices })}
      />
      {linked !== null && (own !== null || devicesError.value !== null) && (
        <PhoneOffer
          own={own}
          hasChat={linked.length > 0}
          onAllowed={() => onChange({ ...destinations, devices: 'all' })}
        />
      )}
    </div>
  );
}

type PhoneOfferProps = { own: OwnDevices | null; hasChat: boolean; onAllowed(): void };

/** Turns notifications on in place if the user has no device, or says what prevents them. */
function PhoneOffer({ own, hasChat, onAllowed }: PhoneOfferProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<string | null>(null);
  const hasDevice = devicesInUse(own).length > 0;
  const allow = async () => {
    if (own === null || isBusy) return;
    setBusy(true);
    const { isOn, text } = await allowAlertsHere(own);
    setBusy(false);
    setResult(text);
    if (isOn) onAllowed();
  };
  return (
    <>
      {!hasDevice && !hasChat && (
        <span className="field-help">
          Shown in the browser only. <a href={`#${settingsPath('linked-accounts')}`}>Link a chat</a>
        </span>
      )}
      {!hasDevice && own !== null && own.publicKey !== null && (
        <Button aria-disabled={isBusy || undefined} onClick={() => void allow()}>
          {isBusy ? 'Waiting for the browser…' : phoneOfferLabel()}
        </Button>
      )}
      {result !== null && (
        <span className="field-help" role="status">
          {result}
        </span>
      )}
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
