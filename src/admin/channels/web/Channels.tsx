import { useCallback, useEffect, useRef, type FormEvent, useState } from 'react';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { ChannelList } from './ChannelList.tsx';
import { ComposeMessage } from './ComposeMessage.tsx';
import { type Broadcasts, useChannels, fetchBroadcasts, postChannel } from './useChannels.ts';
import { formatNumber } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { useReloads } from '#web/shared/useReloads.ts';
import { isSettled, momentText, OutcomeText } from './OutcomeText.tsx';
import type { Broadcast } from '../answers/channels.ts';
import { checkChannel, MAX_CHANNEL_NAME } from '../rules/channel.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/FormError.tsx';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { TextField } from '#ui/TextField.tsx';

const OPTIONS = (['discord', 'telegram'] as const).map((id) => ({ id, label: PLATFORM_NAMES[id] }));
const MAX_ID = 40;

/** What is typed of a new channel, why it was refused, and its saving. */
function useNewChannel(onAdded: () => void) {
  const [name, setName] = useState('');
  const [chatId, setChatId] = useState('');
  const [platform, setPlatform] = useState<ChatPlatform>('discord');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const nameBox = useRef<HTMLInputElement>(null);
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
  /** Takes what was typed or chosen; what was refused before says nothing of it. */
  const taking =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setRefusal(null);
    };
  const typed = { setName: taking(setName), setChatId: taking(setChatId), setPlatform: taking(setPlatform) };
  return { name, chatId, platform, refusal, isBusy, nameBox, submit, ...typed };
}

/** Adds a channel by its name and the platform's ID of it. */
function AddChannelForm({ onAdded }: { onAdded: () => void }) {
  const { name, chatId, platform, refusal, isBusy, nameBox, submit, ...typed } = useNewChannel(onAdded);
  const errorOf = (field: string): string | null => (refusal?.field === field ? refusal.message : null);
  const isOfField = errorOf('name') !== null || errorOf('chatId') !== null;
  return (
    <form className="stack self-stretch" noValidate onSubmit={(event) => void submit(event)}>
      <div className="form-row">
        <TextField
          ref={nameBox}
          label="Name"
          value={name}
          maxLength={MAX_CHANNEL_NAME}
          error={errorOf('name')}
          onChange={(event) => typed.setName(event.target.value)}
        />
        <TextField
          label="Chat ID"
          value={chatId}
          maxLength={MAX_ID}
          autoComplete="off"
          spellCheck={false}
          error={errorOf('chatId')}
          onChange={(event) => typed.setChatId(event.target.value)}
        />
        <NativeSelect label="Platform" value={platform} options={OPTIONS} onChoose={typed.setPlatform} />
        <Button type="submit" disabled={isBusy || name.trim() === '' || chatId.trim() === ''}>
          {isBusy ? 'Adding…' : 'Add Channel'}
        </Button>
      </div>
      {refusal !== null && !isOfField && <FormError>{refusal.message}</FormError>}
    </form>
  );
}

/** '40 of 52 sent, 2 failed, 10 waiting'. */
function devicesText({ total, sent, failed, waiting }: NonNullable<Broadcast['devices']>): string {
  const parts = [
    `${formatNumber(sent, 0)} of ${formatNumber(total, 0)} sent`,
    failed > 0 ? `${formatNumber(failed, 0)} failed` : '',
    waiting > 0 ? `${formatNumber(waiting, 0)} waiting` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What was sent last, and who got it. */
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

/**
 * The newest broadcasts, asked for again and again until it is settled what became of each.
 * @param onSettled called once the last of them is settled
 */
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

/** Channels, and messages to them. */
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
