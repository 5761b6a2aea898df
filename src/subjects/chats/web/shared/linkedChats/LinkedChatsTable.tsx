import './LinkedChatsTable.css';
import { type RefObject, useState } from 'react';
import { PLATFORM_NAMES } from '../../../rules/chatPlatform.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { Pill } from '../../../../../../web/ui/Pill.tsx';
import { StackedTable } from '../../../../../../web/ui/StackedTable.tsx';
import type { LinkedChat } from '../linkedChats.ts';
import { chatBots } from './state.ts';

type LinkedChatsTableProps = {
  chats: readonly LinkedChat[];
  body: RefObject<HTMLTableSectionElement | null>;
  onUnlink(chat: LinkedChat): Promise<void>;
};

/** The user's chats, what state each is in, and the way to unlink it. */
export function LinkedChatsTable({ chats, body, onUnlink }: LinkedChatsTableProps) {
  return (
    <StackedTable className="linked-chats" label="Linked accounts">
      <thead>
        <tr>
          <th scope="col">Platform</th>
          <th scope="col">Account</th>
          <th scope="col">ID</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {chats.map((chat) => (
          <ChatRow key={`${chat.platform} ${chat.id}`} chat={chat} onUnlink={onUnlink} />
        ))}
      </tbody>
    </StackedTable>
  );
}

function ChatRow({ chat, onUnlink }: { chat: LinkedChat } & Pick<LinkedChatsTableProps, 'onUnlink'>) {
  const [isBusy, setBusy] = useState(false);
  const { platform, id, label } = chat;
  const unlink = async () => {
    setBusy(true);
    await onUnlink(chat);
    setBusy(false);
  };
  return (
    <tr>
      <th scope="row">{PLATFORM_NAMES[platform]}</th>
      <td className="linked-chat-label" data-heading="Account">
        {label === id ? <span className="muted">–</span> : label}
      </td>
      <td className="linked-chat-id" data-heading="ID">
        {id}
      </td>
      <td data-heading="State">
        <ChatState chat={chat} />
      </td>
      <td className="linked-chat-action">
        <Button
          disabled={isBusy}
          aria-label={`Unlink ${PLATFORM_NAMES[platform]} ${label}`}
          onClick={() => void unlink()}
        >
          {isBusy ? 'Unlinking…' : 'Unlink'}
        </Button>
      </td>
    </tr>
  );
}

function ChatState({ chat: { platform, broken, confirmed } }: { chat: LinkedChat }) {
  if (broken !== null) {
    return (
      <>
        <Pill variant="down">Not delivered</Pill>
        <p className="linked-chat-reason">{broken}</p>
      </>
    );
  }
  if (confirmed) return <Pill variant="up">Confirmed</Pill>;
  const hasBot = chatBots.value?.[platform].configured ?? true;
  return (
    <>
      <Pill variant="warn">Waiting for confirmation</Pill>
      <p className="linked-chat-reason">
        {hasBot ? (
          <>
            Press <q>Yes, send alerts here</q> in that chat. No alerts go there until then.
          </>
        ) : (
          `${PLATFORM_NAMES[platform]} is not set up on this server, so nothing can be sent there yet.`
        )}
      </p>
    </>
  );
}
