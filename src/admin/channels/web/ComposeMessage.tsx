import './ComposeMessage.css';
import { type FormEvent, useId, useRef, useState } from 'react';
import { checkBroadcast, MAX_BROADCAST } from '../rules/broadcast.ts';
import { PLATFORM_NAMES } from '../../../subjects/chats/rules/chatPlatform.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { readText } from '../../../lib/read.ts';
import type { Refusal } from '../../../lib/result.ts';
import { refusalOf } from '../../../../web/api/client.ts';
import { keptInput } from '../../../subjects/accounts/web/shared/session/interruption.ts';
import { useHeldInput } from '../../../subjects/accounts/web/shared/session/useHeldInput.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { describedBy, Field } from '../../../../web/ui/Field.tsx';
import { FormError } from '../../../../web/ui/FormError.tsx';
import { postBroadcast } from './api.ts';
import type { Channel } from './readChannels.ts';

type ComposeMessageProps = {
  channels: readonly Channel[];
  /** Called after a message was sent, and after one may have been. */
  onSent(): void;
};

/** A message to channels, and which of them get it. What is typed stays until it was sent. */
export function ComposeMessage({ channels, onSent }: ComposeMessageProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [message, setMessage] = useState(() => readText(keptInput('broadcast')) ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  useHeldInput('broadcast', message.trim() === '' ? undefined : message);
  const open = channels.filter(({ subscribed }) => subscribed === 1);
  const channelIds = open.map((channel) => channel.id).filter((one) => chosen.has(one));
  const isOfMessage = refusal?.field === 'message';
  const help = `${message.length.toLocaleString('en-AU')} characters; Discord takes 2,000, Telegram ${MAX_BROADCAST.toLocaleString('en-AU')}. Plain text.`;

  const refuse = (given: Refusal) => {
    setRefusal(given);
    if (given.field === 'message') box.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkBroadcast({ message, channelIds });
    if (!checked.ok) return refuse(checked.error);
    setRefusal(null);
    setBusy(true);
    try {
      await postBroadcast(checked.value);
      setMessage('');
      setChosen(new Set());
    } catch (problem) {
      refuse(refusalOf(problem, ADMIN_MESSAGES.sendMessage));
    }
    setBusy(false);
    onSent();
  };
  const choose = (channel: number, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(channel);
    else next.delete(channel);
    setChosen(next);
  };

  return (
    <form className="compose-message" noValidate onSubmit={(event) => void submit(event)}>
      <Field id={id} label="Message" help={help} error={isOfMessage ? refusal.message : null}>
        <textarea
          ref={box}
          id={id}
          className="input compose-text"
          rows={5}
          value={message}
          aria-invalid={isOfMessage || undefined}
          aria-describedby={describedBy(id, { help, error: isOfMessage ? refusal.message : null })}
          onChange={(event) => {
            setMessage(event.target.value);
            setRefusal(null);
          }}
        />
      </Field>
      <fieldset className="compose-channels">
        <legend>Channels</legend>
        {channels.length === 0 && <p className="muted">Add a channel below first.</p>}
        {channels.map((channel) => (
          <label key={channel.id} className="compose-channel">
            <input
              type="checkbox"
              disabled={channel.subscribed === 0}
              checked={channel.subscribed === 1 && chosen.has(channel.id)}
              onChange={(event) => choose(channel.id, event.target.checked)}
            />
            <span>
              {channel.name}{' '}
              <span className="muted">
                {PLATFORM_NAMES[channel.platform]}
                {channel.subscribed === 0 && ', not subscribed'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {refusal !== null && !isOfMessage && <FormError>{refusal.message}</FormError>}
      <div className="compose-actions">
        {open.length > 1 && (
          <Button
            onClick={() =>
              setChosen(
                channelIds.length === open.length ? new Set() : new Set(open.map((channel) => channel.id)),
              )
            }
          >
            {channelIds.length === open.length ? 'Choose none' : 'Choose all'}
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </Button>
      </div>
    </form>
  );
}
