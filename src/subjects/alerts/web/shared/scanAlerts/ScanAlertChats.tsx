import { type ReactNode, useEffect, useState } from 'react';
import type { Destinations } from '../../../rules/alert.ts';
import { CHAT_PLATFORMS, PLATFORM_NAMES } from '../../../../chats/rules/chatPlatform.ts';
import { Toggle } from '../../../../../../web/ui/Toggle.tsx';
import { fetchLinkedChats, platformsOf } from '../../../../chats/web/shared/linkedChats.ts';
import type { ScanAlertDraft } from './api.ts';
import './ScanAlertChats.css';

/** The platforms on which there is a chat; null until that is known. */
function useLinkedPlatforms(): Destinations | null {
  const [platforms, setPlatforms] = useState<Destinations | null>(null);
  useEffect(() => {
    let isWanted = true;
    fetchLinkedChats().then(
      (chats) => {
        if (isWanted) setPlatforms(platformsOf(chats));
      },
      (problem: unknown) => console.warn('The linked chats could not be loaded.', problem),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return platforms;
}

type ScanAlertChatsProps = { draft: ScanAlertDraft; change(part: Partial<ScanAlertDraft>): void };

/** Where an alert on a scan is told besides the browser. */
export function ScanAlertChats({ draft, change }: ScanAlertChatsProps): ReactNode {
  const linked = useLinkedPlatforms();
  if (linked === null) return null;
  const platforms = CHAT_PLATFORMS.filter((platform) => linked[platform]);
  if (platforms.length === 0)
    return <p className="muted">Shown in the browser. To get it on your phone, link a chat in Settings.</p>;
  return (
    <div className="scan-alert-chats">
      {platforms.map((platform) => (
        <Toggle
          key={platform}
          label={PLATFORM_NAMES[platform]}
          checked={draft.destinations[platform]}
          onChange={(isOn) => change({ destinations: { ...draft.destinations, [platform]: isOn } })}
        />
      ))}
    </div>
  );
}
