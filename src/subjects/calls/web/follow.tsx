import BellIcon from 'lucide-react/icons/bell';
import BellOffIcon from 'lucide-react/icons/bell-off';
import { type ReactNode, useEffect, useState } from 'react';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { settingsPath } from '#web/router/routes.ts';
import { Loader } from '#web/shared/loader.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { setUps, settings } from '#web/shared/settings.ts';
import { followsAnswer } from '../answers/follows.ts';
import type { Follows } from '../rules/types.ts';
import { recordPath } from './parts/pageParts.tsx';

const read = readerOf(followsAnswer);

const loader = new Loader<Follows>(
  () => request('GET /api/calls/follows', { read }),
  'The submitters that you follow could not be loaded',
);

const chooseFollow = (name: string, follow: boolean): Promise<Follows> =>
  request('PUT /api/calls/follows/:name', {
    params: { name },
    body: { follow },
    read,
  });
const chooseMute = (symbol: string, mute: boolean): Promise<Follows> =>
  request('PUT /api/calls/mutes/:symbol', {
    params: { symbol },
    body: { mute },
    read,
  });

/** The user's choices; null for a visitor, and until they are loaded. */
function useFollows(): Follows | null {
  const { accessToken } = session.value;
  const { data, of } = loader.state.value;
  const key = accessToken && `${accessToken} ${setUps.value}`;
  useEffect(() => {
    const { asked, error } = loader.state.peek();
    if (key !== null && (asked !== key || error !== null)) void loader.load(key);
  }, [key]);
  return key !== null && of === key ? data : null;
}

type ChoiceProps = {
  isOn: boolean;
  on: string;
  off: string;
  done: string;
  undone: string;
  send(isOn: boolean): Promise<Follows>;
};

/** A button that says what a press does, because its state is shown by what it offers. */
function ChoiceButton({ isOn, on, off, done, undone, send }: ChoiceProps): ReactNode {
  const [isSending, setSending] = useState(false);
  const choose = async (): Promise<void> => {
    setSending(true);
    try {
      const saved = await send(!isOn);
      loader.set(saved);
      showBriefly(isOn ? undone : (saved.note ?? done));
    } catch (problem) {
      showBriefly(messageOf(problem, 'The choice was not saved'));
    } finally {
      setSending(false);
    }
  };
  const Icon = isOn ? BellOffIcon : BellIcon;
  return (
    <Button aria-disabled={isSending} onClick={() => void (isSending ? null : choose())}>
      <Icon size={14} aria-hidden />
      {isOn ? off : on}
    </Button>
  );
}

const isOwn = (name: string): boolean => name === settings.value?.username;

/** Follows or unfollows a submitter. Shows nothing to visitors, or for the user's own name. */
export function FollowButton({ name }: { name: string }): ReactNode {
  const follows = useFollows();
  if (follows === null || isOwn(name)) return null;
  return (
    <ChoiceButton
      isOn={follows.following.includes(name)}
      on={`Follow ${name}`}
      off={`Unfollow ${name}`}
      done={`Following ${name}: new calls, fills, targets and stops`}
      undone={`No longer following ${name}`}
      send={(follow) => chooseFollow(name, follow)}
    />
  );
}

/** Mutes or unmutes the stock of a followed submitter's call. */
export function MuteButton({ name, symbol }: { name: string; symbol: string }): ReactNode {
  const follows = useFollows();
  if (!follows?.following.includes(name)) return null;
  return (
    <ChoiceButton
      isOn={!follows.muted.includes(symbol)}
      on={`Unmute ${symbol}`}
      off={`Mute ${symbol}`}
      done={`Messages about ${symbol} are on`}
      undone={`${symbol} is muted: followed calls on it send no messages`}
      send={(isOn) => chooseMute(symbol, !isOn)}
    />
  );
}

/** What following means, who else is followed, and the muted stocks; nothing for users who do not follow a submitter. */
export function FollowNotes({ name }: { name: string }): ReactNode {
  const follows = useFollows();
  if (!follows?.following.includes(name)) return null;
  const { following, muted, note } = follows;
  const others = following.filter((one) => one !== name);
  return (
    <section className="stack gap-2" aria-label="Following">
      <p className="muted">
        You get a message in your chats and on your devices for each new call, fill, target and stop of {name}
        . Quiet hours apply.
      </p>
      {note !== null && (
        <Banner variant="warn" action={<a href={`#${settingsPath('notifications')}`}>Open Settings</a>}>
          {note}
        </Banner>
      )}
      {others.length > 0 && (
        <p className="row gap-2">
          You also follow
          {others.map((other) => (
            <a key={other} className="touch" href={`#${recordPath(other)}`}>
              {other}
            </a>
          ))}
        </p>
      )}
      {muted.length > 0 && (
        <div className="row gap-2">
          Muted stocks
          {muted.map((symbol) => (
            <MuteButton key={symbol} name={name} symbol={symbol} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Resets the state between tests. */
export const resetFollows = loader.reset;
