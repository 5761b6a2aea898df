import { serverNow } from '#web/live/market.ts';
import './SessionList.css';
import { useRef, useState } from 'react';
import type { Refusal } from '#lib/result.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { Pill } from '#ui/Pill.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { type LoginSession, endOneSession, endOtherSessions, fetchSessions } from './requests.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';

const moment = (time: string, now: number): string =>
  `${formatShortDate(sydneyDate(Date.parse(time)), sydneyDate(now))}, ${formatTime(time)}`;

/** What a session is called: its device, and for a browser that does not say, that it did not. */
const sessionName = ({ device }: LoginSession): string => device ?? 'Unknown device';

/** When it was opened and seen, Sydney time: 'Logged in 18 Nov, 11:00 · last seen 19 Nov, 09:30'. @param now epoch ms */
export function sessionTimes({ createdAt, lastSeenAt }: LoginSession, now: number): string {
  const words = [
    createdAt === null ? null : `Logged in ${moment(createdAt, now)}`,
    lastSeenAt === null ? null : `last seen ${moment(lastSeenAt, now)}`,
  ];
  return words.filter((word) => word !== null).join(' · ');
}

/** The user's login sessions, and the ways to end them. @param changes counts what ended sessions elsewhere */
function useSessions(changes: number) {
  const {
    data: sessions,
    error,
    reload: load,
  } = useLoaded(fetchSessions, 'Your login sessions could not be loaded.', { again: changes });
  const [refusal, refuse] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const attempt = async (work: Promise<Refusal | null>, index: number) => {
    setBusy(true);
    const refused = await work;
    await load();
    setBusy(false);
    refuse(refused?.message ?? null);
    // After the row has gone from the page.
    setTimeout(() => focusNeighbour(list.current?.querySelectorAll('button') ?? [], index, list.current), 0);
  };
  const retry = () => {
    refuse(null);
    void load();
  };
  return { sessions, failure: refusal ?? error, isBusy, list, attempt, retry };
}

/** Where the user is logged in, and the ways to end it there. @param changes counts what ended sessions elsewhere */
export function SessionList({ changes }: { changes: number }) {
  const { sessions, failure, isBusy, list, attempt, retry } = useSessions(changes);
  const others = sessions?.filter(({ current }) => !current) ?? [];
  return (
    <>
      {failure !== null && <Banner action={<Button onClick={retry}>Retry</Button>}>{failure}</Banner>}
      {sessions === null && failure === null && <SkeletonRows rows={2} label="Loading login sessions…" />}
      {sessions !== null && (
        <ul ref={list} className="session-list" aria-label="Login sessions" tabIndex={-1}>
          {sessions.map((one) => (
            <SessionLine
              key={one.id}
              session={one}
              isBusy={isBusy}
              onEnd={() => void attempt(endOneSession(one.id), others.indexOf(one))}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Button disabled={isBusy} onClick={() => void attempt(endOtherSessions(), 0)}>
          End all others
        </Button>
      )}
    </>
  );
}

type SessionLineProps = { session: LoginSession; isBusy: boolean; onEnd(): void };

function SessionLine({ session, isBusy, onEnd }: SessionLineProps) {
  const name = sessionName(session);
  return (
    <li>
      <span className="session-device">{name}</span>
      {session.current && <Pill variant="accent">This one</Pill>}
      <span className="session-times">{sessionTimes(session, serverNow())}</span>
      {!session.current && (
        <Button disabled={isBusy} aria-label={`End ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
