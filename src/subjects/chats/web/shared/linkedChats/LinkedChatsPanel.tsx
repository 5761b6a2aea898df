import { useEffect, useRef, useState } from 'react';
import { type ChatPlatform, PLATFORM_NAMES } from '../../../rules/chatPlatform.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { claimOutcome } from '../claimLink.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { focusNeighbour } from '../../../../../../web/ui/focusNeighbour.ts';
import { SkeletonRows } from '../../../../../../web/ui/SkeletonRows.tsx';
import { ChatIdHelp } from './ChatIdHelp.tsx';
import { LinkChatForm } from './LinkChatForm.tsx';
import { LinkedChatsTable } from './LinkedChatsTable.tsx';
import type { LinkedChat } from '../linkedChats.ts';
import {
  forgetLinkedChats,
  linkedChats,
  linkedChatsError,
  loadChatBots,
  loadLinkedChats,
  unlinkChat,
} from './state.ts';

/** While a chat is to be confirmed, how often it is asked whether it was. */
const ASK_EVERY_MS = 5000;

type Said = { isGood: boolean; message: string };

/** The chats that alerts can go to: which there are, how each is, and the ways to link another. */
export function LinkedChatsPanel() {
  const [said, say] = useState<Said | null>(null);
  const panel = useRef<HTMLElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  useLinkedChats();

  const linked = (platform: ChatPlatform) =>
    say({ isGood: true, message: `Linked ${PLATFORM_NAMES[platform]} successfully` });
  const unlink = async (chat: LinkedChat) => {
    const index = (linkedChats.peek() ?? []).indexOf(chat);
    const hadFocus = body.current?.contains(document.activeElement);
    const failure = await unlinkChat(chat);
    say(
      failure === null
        ? { isGood: true, message: MESSAGES.settings.unlinked }
        : { isGood: false, message: failure },
    );
    if (failure !== null || !hadFocus) return;
    // After the row has gone from the page.
    setTimeout(() => {
      const buttons = body.current?.querySelectorAll('button') ?? [];
      focusNeighbour(buttons, index, panel.current?.querySelector('select'));
    }, 0);
  };
  return (
    <section className="panel" aria-labelledby="linked-accounts-panel" ref={panel}>
      <h2 id="linked-accounts-panel">Linked Accounts</h2>
      <p className="muted">Chats that can get your alerts and ask the bot about your account.</p>
      <Chats body={body} onUnlink={unlink} />
      {said && (
        <Banner variant={said.isGood ? 'info' : 'error'} onDismiss={() => say(null)}>
          {said.message}
        </Banner>
      )}
      <LinkChatForm
        onLinked={linked}
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

type ChatsProps = Parameters<typeof LinkedChatsTable>[0];

function Chats(props: Omit<ChatsProps, 'chats'>) {
  const [isLoading, setLoading] = useState(false);
  const retry = async () => {
    setLoading(true);
    await loadLinkedChats();
    setLoading(false);
  };
  if (linkedChats.value === null && linkedChatsError.value !== null) {
    return (
      <Banner
        action={
          <Button disabled={isLoading} onClick={() => void retry()}>
            Retry
          </Button>
        }
      >
        {linkedChatsError.value}
      </Banner>
    );
  }
  if (linkedChats.value === null) return <SkeletonRows rows={2} label="Loading linked accounts…" />;
  if (linkedChats.value.length === 0) return <p>No accounts are linked yet.</p>;
  return <LinkedChatsTable chats={linkedChats.value} {...props} />;
}
