import { type RefObject, useEffect, useRef, useState } from 'react';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { MESSAGES } from '#texts/messages.ts';
import { claimOutcome } from '../claimLink.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { ChatIdHelp, LinkChatForm } from './LinkChatForm.tsx';
import {
  type LinkedChat,
  forgetLinkedChats,
  linkedChats,
  linkedChatsError,
  loadChatBots,
  loadLinkedChats,
  unlinkChat,
  chatBots,
} from '../linkedChats.ts';
import '../chats.css';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';
import { Pill } from '#ui/Pill.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';

type LinkedChatsTableProps = {
  chats: readonly LinkedChat[];
  table: RefObject<HTMLTableElement | null>;
  body: RefObject<HTMLTableSectionElement | null>;
  onUnlink(chat: LinkedChat): Promise<void>;
};

/** The user's chats, what state each is in, and the way to unlink it. */
function LinkedChatsTable({ chats, table, body, onUnlink }: LinkedChatsTableProps) {
  return (
    <StackedTable ref={table} label="Linked accounts">
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
      <td className="break-words" data-heading="Account">
        {label === id ? <span className="muted">–</span> : label}
      </td>
      <td className="nowrap" data-heading="ID">
        {id}
      </td>
      <td data-heading="State" data-taken={stateText(chat)}>
        <ChatState chat={chat} />
      </td>
      <td className="row-actions">
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

/** The state of a chat as a spreadsheet is given it. */
function stateText({ broken, confirmed }: LinkedChat): string {
  if (broken !== null) return `Not delivered: ${broken}`;
  return confirmed ? 'Confirmed' : 'Waiting for confirmation';
}

function ChatState({ chat: { platform, broken, confirmed } }: { chat: LinkedChat }) {
  if (broken !== null) {
    return (
      <>
        <Pill variant="down">Not delivered</Pill>
        <p className="cell-note">{broken}</p>
      </>
    );
  }
  if (confirmed) return <Pill variant="up">Confirmed</Pill>;
  const hasBot = chatBots.value?.[platform].configured ?? true;
  return (
    <>
      <Pill variant="warn">Waiting for confirmation</Pill>
      <p className="cell-note">
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

/** While a chat is to be confirmed, how often it is asked whether it was. */
const ASK_EVERY_MS = 5000;

type Said = { isGood: boolean; message: string };

/** The chats that alerts can go to: which there are, how each is, and the ways to link another. */
export function LinkedChatsPanel() {
  const [said, say] = useState<Said | null>(null);
  const panel = useRef<HTMLElement>(null);
  const table = useRef<HTMLTableElement>(null);
  useLinkedChats();
  return (
    <section className="panel" aria-labelledby="linked-accounts-panel" ref={panel}>
      <div className="row">
        <h2 id="linked-accounts-panel">Linked Accounts</h2>
        {(linkedChats.value?.length ?? 0) > 0 && <TakeDrawnButton label="Linked Accounts" table={table} />}
      </div>
      <p className="muted">Chats that can get your alerts and ask the bot about your account.</p>
      <Chats say={say} panel={panel} table={table} />
      {said && (
        <Banner variant={said.isGood ? 'info' : 'error'} onDismiss={() => say(null)}>
          {said.message}
        </Banner>
      )}
      <LinkChatForm
        onLinked={(platform) =>
          say({ isGood: true, message: `Linked ${PLATFORM_NAMES[platform]} successfully` })
        }
        onFailed={(message) => say(message === null ? null : { isGood: false, message })}
      />
      <ChatIdHelp />
    </section>
  );
}

/** Loads the chats, once more when one was linked by a link, and again and again while one waits to be confirmed. */
function useLinkedChats(): void {
  const isWaiting =
    linkedChats.value?.some(({ confirmed, broken }) => !confirmed && broken === null) ?? false;
  const claimed = claimOutcome.value;
  useEffect(() => {
    void loadChatBots();
    return forgetLinkedChats;
  }, []);
  useEffect(() => void loadLinkedChats(), [claimed]);
  useEffect(() => {
    const ask = () => {
      if (!document.hidden) void loadLinkedChats();
    };
    document.addEventListener('visibilitychange', ask);
    const timer = isWaiting ? setInterval(ask, ASK_EVERY_MS) : null;
    return () => {
      document.removeEventListener('visibilitychange', ask);
      if (timer !== null) clearInterval(timer);
    };
  }, [isWaiting]);
}

type ChatsProps = Pick<LinkedChatsTableProps, 'table'> & {
  say(said: Said): void;
  panel: RefObject<HTMLElement | null>;
};

/** The table of the chats, or why there is none. The focus of one that is unlinked goes to its neighbour. */
function Chats({ say, panel, table }: ChatsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const chats = linkedChats.value;
  const unlink = async (chat: LinkedChat) => {
    const index = (linkedChats.peek() ?? []).indexOf(chat);
    const hadFocus = body.current?.contains(document.activeElement);
    const failure = await unlinkChat(chat);
    say({ isGood: failure === null, message: failure ?? MESSAGES.settings.unlinked });
    if (failure !== null || !hadFocus) return;
    // After the row has gone from the page.
    setTimeout(() => {
      const buttons = body.current?.querySelectorAll('button') ?? [];
      focusNeighbour(buttons, index, panel.current?.querySelector('select'));
    }, 0);
  };
  if (chats === null) {
    return linkedChatsError.value === null ? (
      <SkeletonRows rows={2} label="Loading linked accounts…" />
    ) : (
      <RetryBanner onRetry={loadLinkedChats}>{linkedChatsError.value}</RetryBanner>
    );
  }
  if (chats.length === 0) return <p>No accounts are linked yet.</p>;
  return <LinkedChatsTable chats={chats} table={table} body={body} onUnlink={unlink} />;
}
