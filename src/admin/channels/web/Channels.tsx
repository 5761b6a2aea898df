import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { readText } from '#lib/read.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { MAX_NOTIFICATION } from '#platform/push/rules/notification.ts';
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { formatNumber } from '#texts/format.ts';
import { FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { describedBy, Field, NativeSelect, TextField } from '#ui/Field.tsx';
import { type Loaded, useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import { errorOf, otherError, useSending } from '#web/shared/useSending.tsx';
import type { Broadcast, Channel } from '../answers/channels.ts';
import { checkBroadcast, checkChannel, MAX_BROADCAST, MAX_CHANNEL_NAME } from '../rules/channel.ts';
import { ChannelList } from './ChannelList.tsx';
import { isSettled, momentText, OutcomeText } from './OutcomeText.tsx';
import { type Broadcasts, fetchBroadcasts, postBroadcast, postChannel, useChannels } from './useChannels.ts';

type ComposeMessageProps = {
  channels: readonly Channel[] | null;
  /** Users with a device that a broadcast reaches. */
  people: number;
  /** Called after sending, also if it is unknown whether the message was sent. */
  onSent(): void;
};

function useMessage({ channels, people, onSent }: ComposeMessageProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [message, setMessage] = useState(() => readText(keptInput('broadcast')) ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [toDevices, setToDevices] = useState(false);
  const sending = useSending();
  useHeldInput('broadcast', message.trim() === '' ? undefined : message);
  const openIds = (channels ?? []).filter(({ subscribed }) => subscribed === 1).map(({ id }) => id);
  const devices = toDevices && people > 0;
  const channelIds = openIds.filter((one) => chosen.has(one));
  const isOfMessage = sending.refusal?.field === 'message';
  useEffect(() => {
    if (isOfMessage) box.current?.focus();
  }, [isOfMessage, sending.refusal]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = checkBroadcast({ message, channelIds, devices });
    if (!checked.ok) return sending.refuse(checked.error);
    const isSent = await sending.send(() => postBroadcast(checked.value), ADMIN_MESSAGES.sendMessage);
    if (isSent) {
      setMessage('');
      setChosen(new Set());
      setToDevices(false);
    }
    onSent();
  };
  const type = (text: string) => {
    setMessage(text);
    sending.refuse(null);
  };
  const choice = { chosen, setChosen, openIds, channelIds, devices, setToDevices };
  return { box, message, type, ...choice, sending, submit };
}

/** The form that sends a broadcast. The text stays until the message was sent. */
function ComposeMessage(props: ComposeMessageProps) {
  const id = useId();
  const { box, message, type, chosen, setChosen, openIds, channelIds, sending, submit, ...toAll } =
    useMessage(props);
  const error = errorOf(sending, 'message');
  const other = otherError(sending, ['message']);
  const help = `${message.length.toLocaleString('en-AU')} characters; limits: Discord 2,000, Telegram ${MAX_BROADCAST.toLocaleString('en-AU')}. Plain text.`;
  return (
    <form className="admin-form stack self-stretch" noValidate onSubmit={(event) => void submit(event)}>
      <Field id={id} label="Message" help={help} error={error}>
        <textarea
          ref={box}
          id={id}
          className="input"
          rows={5}
          value={message}
          aria-invalid={error !== null || undefined}
          aria-describedby={describedBy(id, { help, error })}
          onChange={(event) => type(event.target.value)}
        />
      </Field>
      <ChannelChoice channels={props.channels} chosen={chosen} onChoose={setChosen} />
      <DeviceChoice people={props.people} isChosen={toAll.devices} onChoose={toAll.setToDevices} />
      {other !== null && <FormError>{other}</FormError>}
      <div className="row">
        {openIds.length > 1 && (
          <Button onClick={() => setChosen(new Set(channelIds.length === openIds.length ? [] : openIds))}>
            {channelIds.length === openIds.length ? 'Choose none' : 'Choose all'}
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={sending.isBusy}>
          {sending.isBusy ? 'Sending…' : 'Send'}
        </Button>
      </div>
    </form>
  );
}

type DeviceChoiceProps = { people: number; isChosen: boolean; onChoose(isChosen: boolean): void };

function DeviceChoice({ people, isChosen, onChoose }: DeviceChoiceProps) {
  if (people === 0) return null;
  return (
    <label className="check break-words">
      <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
      <span>
        Devices: {people.toLocaleString('en-AU')} {people === 1 ? 'person' : 'people'}{' '}
        <span className="muted">as a notification, at most {MAX_NOTIFICATION} characters</span>
      </span>
    </label>
  );
}

type ChannelChoiceProps = {
  channels: readonly Channel[] | null;
  chosen: ReadonlySet<number>;
  onChoose(chosen: ReadonlySet<number>): void;
};

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
      {channels === null && <p className="muted">The channels could not be loaded.</p>}
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

const OPTIONS = (['discord', 'telegram'] as const).map((id) => ({ id, label: PLATFORM_NAMES[id] }));
const MAX_ID = 40;

function useNewChannel(onAdded: () => void) {
  const [name, setName] = useState('');
  const [chatId, setChatId] = useState('');
  const [platform, setPlatform] = useState<ChatPlatform>('discord');
  const sending = useSending();
  const nameBox = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = checkChannel({ name, platform, chatId });
    if (!checked.ok) return sending.refuse(checked.error);
    if (!(await sending.send(() => postChannel(checked.value), ADMIN_MESSAGES.createChannel))) return;
    setName('');
    setChatId('');
    nameBox.current?.focus();
    onAdded();
  };
  const taking =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      sending.refuse(null);
    };
  const typed = { setName: taking(setName), setChatId: taking(setChatId), setPlatform: taking(setPlatform) };
  return { name, chatId, platform, sending, nameBox, submit, ...typed };
}

function AddChannelForm({ onAdded }: { onAdded: () => void }) {
  const { name, chatId, platform, sending, nameBox, submit, ...typed } = useNewChannel(onAdded);
  const other = otherError(sending, ['name', 'chatId']);
  return (
    <form className="stack self-stretch" noValidate onSubmit={(event) => void submit(event)}>
      <div className="form-row">
        <TextField
          ref={nameBox}
          label="Name"
          value={name}
          maxLength={MAX_CHANNEL_NAME}
          error={errorOf(sending, 'name')}
          onChange={(event) => typed.setName(event.target.value)}
        />
        <TextField
          label="Chat ID"
          value={chatId}
          maxLength={MAX_ID}
          autoComplete="off"
          spellCheck={false}
          error={errorOf(sending, 'chatId')}
          onChange={(event) => typed.setChatId(event.target.value)}
        />
        <NativeSelect label="Platform" value={platform} options={OPTIONS} onChoose={typed.setPlatform} />
        <Button type="submit" disabled={sending.isBusy || name.trim() === '' || chatId.trim() === ''}>
          {sending.isBusy ? 'Adding…' : 'Add Channel'}
        </Button>
      </div>
      {other !== null && <FormError>{other}</FormError>}
    </form>
  );
}

function devicesText({ total, sent, failed, waiting }: NonNullable<Broadcast['devices']>): string {
  const parts = [
    `${formatNumber(sent, 0)} of ${formatNumber(total, 0)} sent`,
    failed > 0 ? `${formatNumber(failed, 0)} failed` : '',
    waiting > 0 ? `${formatNumber(waiting, 0)} waiting` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function BroadcastList({ broadcasts }: { broadcasts: readonly Broadcast[] }) {
  if (broadcasts.length === 0) return <p className="muted">Nothing sent yet.</p>;
  return (
    <ol className="broadcast-list stack">
      {broadcasts.map((broadcast) => (
        <li key={broadcast.id}>
          <p className="text-box">{broadcast.message}</p>
          <p className="muted">
            {broadcast.sentAt !== null && (
              <time dateTime={broadcast.sentAt}>{momentText(broadcast.sentAt)}</time>
            )}
            {broadcast.by !== null && ` by ${broadcast.by}`}
          </p>
          <ul>
            {broadcast.results.map((result, index) => (
              <li key={`${result.channelId ?? result.name} ${index}`} className="row">
                <span className="strong break-words">{result.name}</span>
                <OutcomeText outcome={result} />
              </li>
            ))}
            {broadcast.devices && (
              <li className="row">
                <span className="strong break-words">Devices</span>
                <span>{devicesText(broadcast.devices)}</span>
              </li>
            )}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const ASK_EVERY_MS = 2000;

/** Loads broadcasts, and polls until every one is settled. @param onSettled called when the last one is settled */
function useBroadcasts(onSettled: () => void): Loaded<Broadcasts> {
  const loaded = useLoaded(fetchBroadcasts, ADMIN_MESSAGES.load);
  const { data, reload } = loaded;
  const isOpen =
    data?.broadcasts.some(
      ({ results, devices }) => !results.every(isSettled) || (devices?.waiting ?? 0) > 0,
    ) ?? false;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) onSettled();
    wasOpen.current = isOpen;
  }, [isOpen, onSettled]);
  useReloads(isOpen, reload, ASK_EVERY_MS);
  return loaded;
}

export function Channels() {
  const state = useChannels();
  const { reload } = state.loaded;
  const reloadChannels = useCallback(() => void reload(), [reload]);
  const broadcasts = useBroadcasts(reloadChannels);
  return (
    <>
      <div className="self-stretch">
        <Disclosure label="Compose Message">
          <ComposeMessage
            channels={state.loaded.data}
            people={broadcasts.data?.reach.people ?? 0}
            onSent={() => void broadcasts.reload().then(reloadChannels)}
          />
          <LoadedBody loaded={broadcasts} label="Loading sent messages…" rows={1}>
            {({ broadcasts: list }) => <BroadcastList broadcasts={list} />}
          </LoadedBody>
        </Disclosure>
      </div>
      <AddChannelForm onAdded={reloadChannels} />
      <LoadedBody loaded={state.loaded} label="Loading channels…">
        {(channels) =>
          channels.length === 0 ? (
            <EmptyState>No channels yet.</EmptyState>
          ) : (
            <ChannelList channels={channels} state={state} />
          )
        }
      </LoadedBody>
    </>
  );
}
