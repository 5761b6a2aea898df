import { type RefObject, useRef, useState } from 'react';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { formatShortDate } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { Pill } from '#ui/Pill.tsx';
import { Toggle } from '#ui/Field.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { late, LateConfirm } from '#web/shared/lateStyles.ts';
import { OutcomeText } from './OutcomeText.tsx';
import type { Channel } from '../answers/channels.ts';
import type { ChannelsState } from './useChannels.ts';

const RecentMessages = late(() => import('./RecentMessages.tsx').then((code) => code.RecentMessages));

type Asked = { what: 'delete' | 'messages'; channel: Channel };

export function ChannelList({ channels, state }: { channels: readonly Channel[]; state: ChannelsState }) {
  const [asked, ask] = useState<Asked | null>(null);
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  const remove = async (channel: Channel) => {
    const index = channels.indexOf(channel);
    setBusy(true);
    const isGone = await state.remove(channel);
    setBusy(false);
    ask(null);
    if (isGone) setTimeout(() => focusChannel(box.current, index), 0);
  };
  return (
    <>
      {state.error !== null && <Banner onDismiss={state.dismiss}>{state.error}</Banner>}
      <ChannelTable channels={channels} box={box} onToggle={state.toggle} onAsk={ask} />
      {asked?.what === 'delete' && (
        <LateConfirm
          open
          title={`Delete channel "${asked.channel.name}"?`}
          action="Delete"
          isBusy={isBusy}
          onConfirm={() => void remove(asked.channel)}
          onCancel={() => ask(null)}
        >
          <p>Messages that are waiting to be sent to it are dropped.</p>
        </LateConfirm>
      )}
      {asked?.what === 'messages' && <RecentMessages channel={asked.channel} onClose={() => ask(null)} />}
    </>
  );
}

function focusChannel(box: HTMLElement | null, index: number): void {
  const buttons = box?.querySelectorAll<HTMLElement>('.channel-delete') ?? [];
  focusNeighbour(buttons, index, document.getElementById('admin-channels-title'));
}

const HEADINGS = ['Name', 'Platform', 'Chat ID', 'Subscribed', 'Send daily', 'Actions'];

type TableProps = {
  channels: readonly Channel[];
  box: RefObject<HTMLDivElement | null>;
  onToggle: ChannelsState['toggle'];
  onAsk(asked: Asked): void;
};

function ChannelTable({ channels, box, onToggle, onAsk }: TableProps) {
  return (
    <RecordTable ref={box} label="Channels" headings={HEADINGS}>
      {channels.map((channel) => (
        <ChannelRow key={channel.id} channel={channel} onToggle={onToggle} onAsk={onAsk} />
      ))}
    </RecordTable>
  );
}

function ChannelRow({
  channel,
  onToggle,
  onAsk,
}: { channel: Channel } & Pick<TableProps, 'onToggle' | 'onAsk'>) {
  const { name, platform, chatId } = channel;
  return (
    <tr>
      <th scope="row">
        {name}
        <ChannelNotes channel={channel} />
      </th>
      <td data-heading="Platform">{PLATFORM_NAMES[platform]}</td>
      <td data-heading="Chat ID">{chatId === '' ? <span className="muted">–</span> : chatId}</td>
      <SwitchCell label="Subscribed" channel={channel} setting="subscribed" onToggle={onToggle} />
      <SwitchCell label="Send daily" channel={channel} setting="sendDaily" onToggle={onToggle} />
      <td className="row-actions">
        <Button
          disabled={chatId === ''}
          title={chatId === '' ? ADMIN_MESSAGES.channelWithoutChat : undefined}
          aria-label={`Recent messages of ${name}`}
          onClick={() => onAsk({ what: 'messages', channel })}
        >
          Recent messages
        </Button>
        <Button
          className="channel-delete"
          variant="danger"
          aria-label={`Delete ${name}`}
          onClick={() => onAsk({ what: 'delete', channel })}
        >
          Delete
        </Button>
      </td>
    </tr>
  );
}

type SwitchCellProps = Pick<TableProps, 'onToggle'> & {
  label: string;
  channel: Channel;
  setting: 'subscribed' | 'sendDaily';
};

function SwitchCell({ label, channel, setting, onToggle }: SwitchCellProps) {
  return (
    <td className="channel-switch">
      <Toggle
        label={label}
        name={`${channel.name}: ${label.toLowerCase()}`}
        checked={channel[setting] === 1}
        onChange={(isOn) => void onToggle(channel, setting, isOn)}
      />
    </td>
  );
}

function ChannelNotes({
  channel: { platform, chatId, broken, hasBot, summary, sendDaily },
}: {
  channel: Channel;
}) {
  const today = summary?.date ?? '';
  return (
    <>
      {chatId === '' && <p className="cell-note row">{ADMIN_MESSAGES.channelWithoutChat}</p>}
      {!hasBot && (
        <p className="cell-note row">{`${PLATFORM_NAMES[platform]} is not set up on this server.`}</p>
      )}
      {broken !== null && (
        <p className="cell-note row">
          <Pill variant="down">Not delivered</Pill> {broken}
        </p>
      )}
      {sendDaily === 1 && summary !== null && (
        <div className="cell-note row">
          Summary of {formatShortDate(summary.date, today)}: <OutcomeText outcome={summary} />
        </div>
      )}
    </>
  );
}
