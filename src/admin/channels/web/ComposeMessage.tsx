import { type FormEvent, useId, useRef, useState } from 'react';
import { checkBroadcast, MAX_BROADCAST } from '../rules/channel.ts';
import { MAX_NOTICE } from '#platform/push/rules/notice.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { readText } from '#lib/read.ts';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { useHeldInput } from '#subjects/accounts/web/shared/session/useHeldInput.ts';
import { Button } from '#ui/Button.tsx';
import { describedBy, Field } from '#ui/Field.tsx';
import { FormError } from '#ui/FormError.tsx';
import { postBroadcast } from './useChannels.ts';
import type { Channel } from '../answers/channels.ts';

type ComposeMessageProps = {
  /** Null until they are loaded. */
  channels: readonly Channel[] | null;
  /** How many have a device that a message to everybody reaches. */
  people: number;
  /** Called after a message was sent, and after one may have been. */
  onSent(): void;
};

/** What is typed and chosen, why it was refused, and its sending. */
function useMessage({ channels, people, onSent }: ComposeMessageProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [message, setMessage] = useState(() => readText(keptInput('broadcast')) ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [toDevices, setToDevices] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  useHeldInput('broadcast', message.trim() === '' ? undefined : message);
  const openIds = (channels ?? []).filter(({ subscribed }) => subscribed === 1).map(({ id }) => id);
  const devices = toDevices && people > 0;
  const channelIds = openIds.filter((one) => chosen.has(one));
  const refuse = (given: Refusal) => {
    setRefusal(given);
    if (given.field === 'message') box.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkBroadcast({ message, channelIds, devices });
    if (!checked.ok) return refuse(checked.error);
    setRefusal(null);
    setBusy(true);
    try {
      await postBroadcast(checked.value);
      setMessage('');
      setChosen(new Set());
      setToDevices(false);
    } catch (problem) {
      refuse(refusalOf(problem, ADMIN_MESSAGES.sendMessage));
    }
    setBusy(false);
    onSent();
  };
  const type = (text: string) => {
    setMessage(text);
    setRefusal(null);
  };
  const choice = { chosen, setChosen, openIds, channelIds, devices, setToDevices };
  return { box, message, type, ...choice, refusal, isBusy, submit };
}

/** A message to channels, and which of them get it. What is typed stays until it was sent. */
export function ComposeMessage(props: ComposeMessageProps) {
  const id = useId();
  const { box, message, type, chosen, setChosen, openIds, channelIds, refusal, isBusy, submit, ...toAll } =
    useMessage(props);
  const isOfMessage = refusal?.field === 'message';
  const error = isOfMessage ? refusal.message : null;
  const help = `${message.length.toLocaleString('en-AU')} characters; Discord takes 2,000, Telegram ${MAX_BROADCAST.toLocaleString('en-AU')}. Plain text.`;
  return (
    <form className="admin-form stack self-stretch" noValidate onSubmit={(event) => void submit(event)}>
      <Field id={id} label="Message" help={help} error={error}>
        <textarea
          ref={box}
          id={id}
          className="input"
          rows={5}
          value={message}
          aria-invalid={isOfMessage || undefined}
          aria-describedby={describedBy(id, { help, error })}
          onChange={(event) => type(event.target.value)}
        />
      </Field>
      <ChannelChoice channels={props.channels} chosen={chosen} onChoose={setChosen} />
      <DeviceChoice people={props.people} isChosen={toAll.devices} onChoose={toAll.setToDevices} />
      {refusal !== null && !isOfMessage && <FormError>{refusal.message}</FormError>}
      <div className="row">
        {openIds.length > 1 && (
          <Button onClick={() => setChosen(new Set(channelIds.length === openIds.length ? [] : openIds))}>
            {channelIds.length === openIds.length ? 'Choose none' : 'Choose all'}
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </Button>
      </div>
    </form>
  );
}

type DeviceChoiceProps = { people: number; isChosen: boolean; onChoose(isChosen: boolean): void };

/** A box to tick for the devices of everybody who did not switch that off; nothing where nobody has one. */
function DeviceChoice({ people, isChosen, onChoose }: DeviceChoiceProps) {
  if (people === 0) return null;
  return (
    <label className="check break-words">
      <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
      <span>
        Devices: {people.toLocaleString('en-AU')} {people === 1 ? 'person' : 'people'}{' '}
        <span className="muted">as a notification, at most {MAX_NOTICE} characters</span>
      </span>
    </label>
  );
}

type ChannelChoiceProps = {
  channels: readonly Channel[] | null;
  chosen: ReadonlySet<number>;
  onChoose(chosen: ReadonlySet<number>): void;
};

/** A box to tick for each channel; one that is not subscribed can't be chosen. */
function ChannelChoice({ channels, chosen, onChoose }: ChannelChoiceProps) {
  const choose = (channel: number, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(channel);
    else next.delete(channel);
    onChoose(next);
  };
  return (
    <fieldset className="compose-channels">
      <legend>Channels</legend>
      {channels === null && <p className="muted">The channels are not loaded.</p>}
      {channels?.length === 0 && <p className="muted">Add a channel below first.</p>}
      {channels?.map((channel) => (
        <label key={channel.id} className="check break-words">
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
  );
}
