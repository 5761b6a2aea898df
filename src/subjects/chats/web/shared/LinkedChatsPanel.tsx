import {
  type RefObject,
  useEffect,
  useRef,
  useState,
  type FormEvent,
  useId,
  Fragment,
  type ReactNode,
} from 'react';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  checkChatId,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import { MESSAGES } from '#texts/messages.ts';
import { claimOutcome } from './claimLink.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import {
  type LinkedChat,
  forgetLinkedChats,
  linkedChats,
  linkedChatsError,
  loadChatBots,
  loadLinkedChats,
  unlinkChat,
  chatBots,
  type ChatBots,
  linkChat,
} from './linkedChats.ts';
import './chats.css';
import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';
import { Pill } from '#ui/Pill.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import type { Refusal } from '#lib/result.ts';
import { NativeSelect, TextField } from '#ui/Field.tsx';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

/** Names of the settings with the bots' tokens. */
const BOT_SETTINGS: Readonly<Record<ChatPlatform, string>> = {
  telegram: 'BELLBIRD_TELEGRAM_TOKEN',
  discord: 'BELLBIRD_DISCORD_TOKEN',
};

function ChatIdHelp() {
  const bots = chatBots.value;
  const missing = CHAT_PLATFORMS.filter((platform) => bots !== null && !bots[platform].configured);
  return (
    <div className="chat-id-help self-stretch table-text">
      <h3>Finding your ID</h3>
      {missing.length === CHAT_PLATFORMS.length ? (
        <p>
          No chat app is set up on this server. Alerts are shown in the browser and on your devices.{' '}
          <SetUp platforms={missing} />
        </p>
      ) : (
        <Steps bots={bots} missing={missing} />
      )}
    </div>
  );
}

const Steps = ({ bots, missing }: { bots: ChatBots | null; missing: readonly ChatPlatform[] }) => (
  <>
    <p>Open a chat with the bot:</p>
    <ul className="bullets">
      {CHAT_PLATFORMS.map((platform) => (
        <li key={platform}>
          {PLATFORM_NAMES[platform]}:{' '}
          <Bot
            platform={platform}
            isMissing={missing.includes(platform)}
            name={bots?.[platform].name ?? null}
          />
        </li>
      ))}
    </ul>
    <ol className="bullets">
      <li>
        Send <code>/link</code> to the bot. It replies with a link that works for 10 minutes. Open it here and
        confirm that the chat is yours.
      </li>
      <li>
        Or send the <code>/user_id</code> command to the bot and enter the ID from its reply here. The bot
        then asks in that chat whether it is yours. No alerts are sent there until you confirm.
      </li>
    </ol>
  </>
);

/** Says how to set up a bot; administrators see which setting to add. */
function SetUp({ platforms }: { platforms: readonly ChatPlatform[] }): ReactNode {
  const names = platforms.map((platform) => PLATFORM_NAMES[platform]).join(' or ');
  if (session.value.accessLevel < 4) return `Ask the administrator to set up a ${names} bot.`;
  return (
    <>
      To set up a bot, add{' '}
      {platforms.map((platform, index) => (
        <Fragment key={platform}>
          {index > 0 && ' or '}
          <code>{BOT_SETTINGS[platform]}</code>
        </Fragment>
      ))}{' '}
      and restart the server.
    </>
  );
}

type BotProps = { platform: ChatPlatform; isMissing: boolean; name: string | null };

function Bot({ platform, isMissing, name }: BotProps): ReactNode {
  if (isMissing) return 'not set up on this server.';
  if (name === null) return 'ask the administrator for the bot’s name.';
  if (platform === 'discord') return name;
  return (
    <a href={`https://t.me/${encodeURIComponent(name)}`} target="_blank" rel="noopener noreferrer">
      @{name}
    </a>
  );
}

const OPTIONS = CHAT_PLATFORMS.map((id) => ({ id, label: PLATFORM_NAMES[id] }));
/** Longer texts are not an ID on any platform. */
const MAX_LENGTH = 40;

const firstOf = (bots: ChatBots | null): ChatPlatform =>
  CHAT_PLATFORMS.find((platform) => bots?.[platform].configured) ?? CHAT_PLATFORMS[0];

type LinkChatFormProps = {
  onLinked(platform: ChatPlatform): void;
  /** @param message set if the failure is not due to the ID; null clears it */
  onFailed(message: string | null): void;
};

function useLinking(platform: ChatPlatform, { onLinked, onFailed }: LinkChatFormProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const refuse = ({ field, message }: Refusal) => {
    const isOfBox = field === 'chatUserId';
    setError(isOfBox ? message : null);
    onFailed(isOfBox ? null : message);
    box.current?.focus();
  };
  const send = async () => {
    const checked = checkChatId(platform, typed);
    if (!checked.ok) return refuse(checked.error);
    setBusy(true);
    const refusal = await linkChat(platform, checked.value);
    setBusy(false);
    if (refusal !== null) return refuse(refusal);
    setError(null);
    setTyped('');
    onLinked(platform);
  };
  const type = (text: string) => {
    setTyped(text);
    setError(null);
  };
  return { box, typed, type, error, forgive: () => setError(null), isBusy, send };
}

function LinkChatForm(props: LinkChatFormProps) {
  const [chosen, choose] = useState<ChatPlatform | null>(null);
  const platform = chosen ?? firstOf(chatBots.value);
  const isMissing = chatBots.value?.[platform].configured === false;
  const linking = useLinking(platform, props);
  const noteId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!linking.isBusy && !isMissing) void linking.send();
  };
  const choosePlatform = (next: ChatPlatform) => {
    choose(next);
    linking.forgive();
  };
  const name = PLATFORM_NAMES[platform];
  return (
    <form className="form-row" noValidate onSubmit={submit}>
      <NativeSelect label="Platform" value={platform} options={OPTIONS} onChoose={choosePlatform} />
      <IdField {...linking} />
      <Button
        type="submit"
        variant="primary"
        disabled={linking.isBusy || isMissing}
        aria-describedby={isMissing ? noteId : undefined}
      >
        {linking.isBusy ? 'Linking…' : 'Link'}
      </Button>
      {isMissing && (
        <p className="link-chat-missing" id={noteId}>
          {name} is not set up on this server, so no {name} chat can be linked.{' '}
          <SetUp platforms={[platform]} />
        </p>
      )}
    </form>
  );
}

type IdFieldProps = Pick<ReturnType<typeof useLinking>, 'box' | 'typed' | 'type' | 'error'>;

const IdField = ({ box, typed, type, error }: IdFieldProps) => (
  <TextField
    ref={box}
    label="Platform ID"
    value={typed}
    error={error}
    maxLength={MAX_LENGTH}
    inputMode="numeric"
    autoComplete="off"
    spellCheck={false}
    onChange={(event) => type(event.target.value)}
  />
);

type LinkedChatsTableProps = {
  chats: readonly LinkedChat[];
  table: RefObject<HTMLTableElement | null>;
  body: RefObject<HTMLTableSectionElement | null>;
  onUnlink(chat: LinkedChat): Promise<void>;
};

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
            Press <q>Yes, send alerts here</q> in that chat. No alerts are sent there until then.
          </>
        ) : (
          `${PLATFORM_NAMES[platform]} is not set up on this server, so nothing can be sent there.`
        )}
      </p>
    </>
  );
}

/** Poll interval while a chat waits for confirmation, ms. */
const ASK_EVERY_MS = 5000;

type Feedback = { isGood: boolean; message: string };

export function LinkedChatsPanel() {
  const [feedback, setFeedback] = useState<Feedback | null>(null);
  const panel = useRef<HTMLElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const knowsBots = useLinkedChats();
  return (
    <section className="panel" aria-labelledby="linked-accounts-panel" ref={panel}>
      <div className="row">
        <h2 id="linked-accounts-panel">Linked Accounts</h2>
        {(linkedChats.value?.length ?? 0) > 0 && <ExportDrawnButton label="Linked Accounts" table={table} />}
      </div>
      <p className="muted">Chats that receive your alerts and can ask the bot about your account.</p>
      {knowsBots ? (
        <Chats setFeedback={setFeedback} panel={panel} table={table} />
      ) : (
        <SkeletonRows rows={2} label="Loading linked accounts…" />
      )}
      {feedback && (
        <Banner variant={feedback.isGood ? 'info' : 'error'} onDismiss={() => setFeedback(null)}>
          {feedback.message}
        </Banner>
      )}
      <LinkChatForm
        onLinked={(platform) =>
          setFeedback({ isGood: true, message: `Linked ${PLATFORM_NAMES[platform]} successfully` })
        }
        onFailed={(message) => setFeedback(message === null ? null : { isGood: false, message })}
      />
      <ChatIdHelp />
    </section>
  );
}

/**
 * Loads the chats, again after a link was claimed, and regularly while a chat waits for confirmation.
 * @returns whether the bots are known, or could not be loaded
 */
function useLinkedChats(): boolean {
  const [knowsBots, setKnowsBots] = useState(false);
  const isWaiting =
    linkedChats.value?.some(({ confirmed, broken }) => !confirmed && broken === null) ?? false;
  const claimed = claimOutcome.value;
  useEffect(() => {
    let isShown = true;
    void loadChatBots().then(() => isShown && setKnowsBots(true));
    return () => {
      isShown = false;
      forgetLinkedChats();
    };
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
  return knowsBots;
}

type ChatsProps = Pick<LinkedChatsTableProps, 'table'> & {
  setFeedback(feedback: Feedback): void;
  panel: RefObject<HTMLElement | null>;
};

/** The table of chats. When a row is removed, its focus moves to the neighbour. */
function Chats({ setFeedback, panel, table }: ChatsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const chats = linkedChats.value;
  const unlink = async (chat: LinkedChat) => {
    const index = (linkedChats.peek() ?? []).indexOf(chat);
    const hadFocus = body.current?.contains(document.activeElement);
    const failure = await unlinkChat(chat);
    setFeedback({ isGood: failure === null, message: failure ?? MESSAGES.settings.unlinked });
    if (failure !== null || !hadFocus) return;
    // Runs after React has removed the row.
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
