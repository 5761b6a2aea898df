import './AddChannelForm.css';
import { type FormEvent, useRef, useState } from 'react';
import { checkChannel, MAX_CHANNEL_NAME } from '../rules/channel.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '../../../subjects/chats/rules/chatPlatform.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import type { Refusal } from '../../../lib/result.ts';
import { refusalOf } from '../../../../web/api/client.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { FormError } from '../../../../web/ui/FormError.tsx';
import { NativeSelect } from '../../../../web/ui/NativeSelect.tsx';
import { TextField } from '../../../../web/ui/TextField.tsx';
import { postChannel } from './api.ts';

const OPTIONS = (['discord', 'telegram'] as const).map((id) => ({ id, label: PLATFORM_NAMES[id] }));
const MAX_ID = 40;

/** Adds a channel by its name and the platform's ID of it. */
export function AddChannelForm({ onAdded }: { onAdded: () => void }) {
  const [name, setName] = useState('');
  const [chatId, setChatId] = useState('');
  const [platform, setPlatform] = useState<ChatPlatform>('discord');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const nameBox = useRef<HTMLInputElement>(null);
  const errorOf = (field: string): string | null => (refusal?.field === field ? refusal.message : null);
  const isOfField = errorOf('name') !== null || errorOf('chatId') !== null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkChannel({ name, platform, chatId });
    if (!checked.ok) return setRefusal(checked.error);
    setRefusal(null);
    setBusy(true);
    try {
      await postChannel(checked.value);
      setName('');
      setChatId('');
      nameBox.current?.focus();
      onAdded();
    } catch (problem) {
      setRefusal(refusalOf(problem, ADMIN_MESSAGES.createChannel));
    }
    setBusy(false);
  };
  return (
    <form className="add-channel" noValidate onSubmit={(event) => void submit(event)}>
      <div className="add-channel-fields">
        <TextField
          ref={nameBox}
          label="Name"
          value={name}
          maxLength={MAX_CHANNEL_NAME}
          error={errorOf('name')}
          onChange={(event) => {
            setName(event.target.value);
            setRefusal(null);
          }}
        />
        <TextField
          label="Chat ID"
          value={chatId}
          maxLength={MAX_ID}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('chatId')}
          onChange={(event) => {
            setChatId(event.target.value);
            setRefusal(null);
          }}
        />
        <NativeSelect
          label="Platform"
          value={platform}
          options={OPTIONS}
          onChoose={(next) => {
            setPlatform(next);
            setRefusal(null);
          }}
        />
        <div className="add-channel-submit">
          <Button type="submit" disabled={isBusy || name.trim() === '' || chatId.trim() === ''}>
            {isBusy ? 'Adding…' : 'Add Channel'}
          </Button>
        </div>
      </div>
      {refusal !== null && !isOfField && <FormError>{refusal.message}</FormError>}
    </form>
  );
}
