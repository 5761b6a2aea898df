import './ChatIdHelp.css';
import { Fragment, type ReactNode } from 'react';
import { CHAT_PLATFORMS, type ChatPlatform, PLATFORM_NAMES } from '../../../rules/chatPlatform.ts';
import { session } from '../../../../accounts/web/shared/session/session.ts';
import { chatBots } from './state.ts';

/** The server's settings that hold the tokens of its bots. */
const BOT_SETTINGS: Readonly<Record<ChatPlatform, string>> = {
  telegram: 'BELLBIRD_TELEGRAM_TOKEN',
  discord: 'BELLBIRD_DISCORD_TOKEN',
};

/** How to find the ID of a chat, and the shorter way that needs none. */
export function ChatIdHelp() {
  const bots = chatBots.value;
  const missing = CHAT_PLATFORMS.filter((platform) => bots !== null && !bots[platform].configured);
  const hasNone = missing.length === CHAT_PLATFORMS.length;
  return (
    <div className="chat-id-help">
      <h3>Finding your ID</h3>
      {hasNone ? (
        <p>
          No chat app is set up on this server yet, so alerts show in the browser only.{' '}
          <SetUp platforms={missing} />
        </p>
      ) : (
        <>
          <p>Open a chat with the bot:</p>
          <ul>
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
          <ol>
            <li>
              Send <code>/link</code> to the bot. It answers with a link that works for 10 minutes: open it
              here and confirm that the chat is yours.
            </li>
            <li>
              Or send the <code>/user_id</code> command to the bot and enter the ID it answers with here. The
              bot then asks in that chat whether it is yours; no alerts go there until you confirm.
            </li>
          </ol>
        </>
      )}
    </div>
  );
}

/** What is to be done about a bot that is missing: an administrator hears which setting to give. */
export function SetUp({ platforms }: { platforms: readonly ChatPlatform[] }): ReactNode {
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
