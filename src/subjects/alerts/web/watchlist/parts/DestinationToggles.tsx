import { type ReactNode, useId } from 'react';
import type { Destinations } from '../../../rules/alert.ts';
import { CHAT_PLATFORMS, type ChatPlatform, PLATFORM_NAMES } from '../../../../chats/rules/chatPlatform.ts';
import { SETTINGS_PATH } from '../../../../../../web/router/routes.ts';
import { Toggle } from '../../../../../../web/ui/Toggle.tsx';
import { chats, chatsFailed, loadChats } from '../chats.ts';
import type { LinkedChat } from '../../../../chats/web/shared/linkedChats.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import './DestinationToggles.css';

type DestinationTogglesProps = { destinations: Destinations; onChange(destinations: Destinations): void };

/** Where an alert is sent: a toggle for each platform on which there is a linked chat, and what is wrong with that. */
export function DestinationToggles({ destinations, onChange }: DestinationTogglesProps): ReactNode {
  const linked = chats.value;
  if (linked === null) {
    return chatsFailed.value ? (
      <p className="destination-note">
        Linked chats could not be loaded. <Button onClick={() => void loadChats()}>Retry</Button>
      </p>
    ) : null;
  }
  if (linked.length === 0) {
    return (
      <p className="destination-note">
        Shown in the browser. To get it on your phone,{' '}
        <a href={`#${SETTINGS_PATH}`}>link a chat in Settings</a>.
      </p>
    );
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
    <span className="destination">
      <Toggle
        label={PLATFORM_NAMES[platform]}
        checked={isOn}
        describedBy={note === null ? undefined : noteId}
        onChange={onChange}
      />
      {note !== null && (
        <span className="destination-note is-warning" id={noteId}>
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
