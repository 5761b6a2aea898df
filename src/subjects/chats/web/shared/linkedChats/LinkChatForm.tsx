import { type FormEvent, useId, useRef, useState, Fragment, type ReactNode } from 'react';
import { checkChatId } from '#platform/chatClients/rules/chatId.ts';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import type { Refusal } from '#lib/result.ts';
import { Button } from '#ui/Button.tsx';
import { NativeSelect, TextField } from '#ui/Field.tsx';
import { type ChatBots, chatBots, linkChat } from '../linkedChats.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

/** The server's settings that hold the tokens of its bots. */
const BOT_SETTINGS: Readonly<Record<ChatPlatform, string>> = {
  telegram: 'BELLBIRD_TELEGRAM_TOKEN',
  discord: 'BELLBIRD_DISCORD_TOKEN',
};

/** How to find the ID of a chat, and the shorter way that needs none. */
export function ChatIdHelp() {
  const bots = chatBots.value;
  const missing = CHAT_PLATFORMS.filter((platform) => bots !== null && !bots[platform].configured);
  return (
    <div className="chat-id-help self-stretch table-text">
      <h3>Finding your ID</h3>
      {missing.length === CHAT_PLATFORMS.length ? (
        <p>
          No chat app is set up on this server yet, so alerts show in the browser only.{' '}
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
        Send <code>/link</code> to the bot. It answers with a link that works for 10 minutes: open it here and
        confirm that the chat is yours.
      </li>
      <li>
        Or send the <code>/user_id</code> command to the bot and enter the ID it answers with here. The bot
        then asks in that chat whether it is yours; no alerts go there until you confirm.
      </li>
    </ol>
  </>
);

/** What is to be done about a bot that is missing: an administrator hears which setting to give. */
function SetUp({ platforms }: { platforms: readonly ChatPlatform[] }): ReactNode {
  const names = platforms.map((platform) => PLATFORM_NAMES[platform]).join(' or ');
  if (session.value.accessLevel < 4) return `Ask the administrator to set up a ${names} bot.`;
  return (
    <>
      As its administrator, give the token of a bot as{' '}
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
/** Longer texts are no ID of any platform. */
const MAX_LENGTH = 40;

/** The first platform that this server has a bot for. */
const firstOf = (bots: ChatBots | null): ChatPlatform =>
  CHAT_PLATFORMS.find((platform) => bots?.[platform].configured) ?? CHAT_PLATFORMS[0];

type LinkChatFormProps = {
  onLinked(platform: ChatPlatform): void;
  /** @param message why a chat was not linked, where that is no fault of the ID; null takes back what was said */
  onFailed(message: string | null): void;
};

/** Sends the ID that is typed, and holds what is wrong with it. */
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

/** Links a chat by the ID that the platform gives it. */
export function LinkChatForm(props: LinkChatFormProps) {
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
