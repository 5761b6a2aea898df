import './LinkChatForm.css';
import { type FormEvent, useId, useRef, useState } from 'react';
import { checkChatId } from '../../../rules/chatId.ts';
import { CHAT_PLATFORMS, type ChatPlatform, PLATFORM_NAMES } from '../../../rules/chatPlatform.ts';
import type { Refusal } from '../../../../../lib/result.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { NativeSelect } from '../../../../../../web/ui/NativeSelect.tsx';
import { TextField } from '../../../../../../web/ui/TextField.tsx';
import { SetUp } from './ChatIdHelp.tsx';
import type { ChatBots } from './state.ts';
import { chatBots, linkChat } from './state.ts';

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

/** Links a chat by the ID that the platform gives it. */
export function LinkChatForm({ onLinked, onFailed }: LinkChatFormProps) {
  const [chosen, choose] = useState<ChatPlatform | null>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const noteId = useId();
  const box = useRef<HTMLInputElement>(null);
  const platform = chosen ?? firstOf(chatBots.value);
  const isMissing = chatBots.value?.[platform].configured === false;

  const refuse = ({ field, message }: Refusal) => {
    const isOfBox = field === 'chatUserId';
    setError(isOfBox ? message : null);
    onFailed(isOfBox ? null : message);
    box.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isMissing) return;
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
  return (
    <form className="link-chat-form" noValidate onSubmit={(event) => void submit(event)}>
      <NativeSelect
        label="Platform"
        value={platform}
        options={OPTIONS}
        onChoose={(next) => {
          choose(next);
          setError(null);
        }}
      />
      <TextField
        ref={box}
        label="Platform ID"
        value={typed}
        error={error}
        maxLength={MAX_LENGTH}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value);
          setError(null);
        }}
      />
      <div className="link-chat-submit">
        <Button
          type="submit"
          variant="primary"
          disabled={isBusy || isMissing}
          aria-describedby={isMissing ? noteId : undefined}
        >
          {isBusy ? 'Linking…' : 'Link'}
        </Button>
      </div>
      {isMissing && (
        <p className="link-chat-missing" id={noteId}>
          {PLATFORM_NAMES[platform]} is not set up on this server, so no {PLATFORM_NAMES[platform]} chat can
          be linked. <SetUp platforms={[platform]} />
        </p>
      )}
    </form>
  );
}
