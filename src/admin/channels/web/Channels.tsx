import './Channels.css';
import { useCallback } from 'react';
import { Disclosure } from '../../../../web/ui/Disclosure.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { AddChannelForm } from './AddChannelForm.tsx';
import { BroadcastList } from './BroadcastList.tsx';
import { ChannelList } from './ChannelList.tsx';
import { ComposeMessage } from './ComposeMessage.tsx';
import { useBroadcasts } from './useBroadcasts.ts';
import { useChannels } from './useChannels.ts';

/** Channels, and messages to them. */
export function Channels() {
  const state = useChannels();
  const { reload } = state.loaded;
  const reloadChannels = useCallback(() => void reload(), [reload]);
  const broadcasts = useBroadcasts(reloadChannels);
  return (
    <>
      <div className="channels-compose">
        <Disclosure label="Compose Message">
          <ComposeMessage
            channels={state.loaded.data ?? []}
            onSent={() => void broadcasts.reload().then(reloadChannels)}
          />
          <LoadedBody loaded={broadcasts} label="Loading sent messages…" rows={1}>
            {(list) => <BroadcastList broadcasts={list} />}
          </LoadedBody>
        </Disclosure>
      </div>
      <AddChannelForm onAdded={reloadChannels} />
      <LoadedBody loaded={state.loaded} label="Loading channels…">
        {(channels) =>
          channels.length === 0 ? (
            <EmptyState>No channels yet.</EmptyState>
          ) : (
            <ChannelList channels={channels} state={state} />
          )
        }
      </LoadedBody>
    </>
  );
}
