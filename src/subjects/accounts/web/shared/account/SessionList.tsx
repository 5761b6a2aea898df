import './SessionList.css';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Refusal } from '../../../../../lib/result.ts';
import { messageOf } from '../../../../../../web/api/client.ts';
import { useOnReconnect } from '../../../../../../web/shared/useOnReconnect.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { focusNeighbour } from '../../../../../../web/ui/focusNeighbour.ts';
import { Pill } from '../../../../../../web/ui/Pill.tsx';
import { SkeletonRows } from '../../../../../../web/ui/SkeletonRows.tsx';
import type { LoginSession } from './requests.ts';
import { endOneSession, endOtherSessions, fetchSessions } from './requests.ts';
import { sessionName, sessionTimes } from './sessionWords.ts';

type State = { sessions: readonly LoginSession[] | null; failure: string | null };

/** Loads the sessions, again whenever `changes` is another number. When loads overlap, the last one wins. */
function useSessions(changes: number) {
  const [state, setState] = useState<State>({ sessions: null, failure: null });
  const newest = useRef(0);
  const load = useCallback((): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    const settle = (change: (before: State) => State): void => {
      if (own === newest.current) setState(change);
    };
    return fetchSessions().then(
      (sessions) => settle(() => ({ sessions, failure: null })),
      (problem: unknown) => {
        const failure = messageOf(problem, 'Your login sessions could not be loaded.');
        settle(({ sessions }) => ({ sessions, failure }));
      },
    );
  }, []);
  useEffect(() => {
    void load();
    return () => {
      newest.current += 1;
    };
  }, [load, changes]);
  useOnReconnect(state.failure === null ? null : state, load);
  const fail = (failure: string): void => setState((before) => ({ ...before, failure }));
  return { ...state, fail, load };
}

/** Where the user is logged in, and the ways to end it there. @param changes counts what ended sessions elsewhere */
export function SessionList({ changes }: { changes: number }) {
  const { sessions, failure, fail, load } = useSessions(changes);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLUListElement>(null);

  const attempt = async (work: Promise<Refusal | null>, index: number) => {
    setBusy(true);
    const refusal = await work;
    await load();
    setBusy(false);
    if (refusal !== null) fail(refusal.message);
    // After the row has gone from the page.
    setTimeout(() => focusNeighbour(list.current?.querySelectorAll('button') ?? [], index, list.current), 0);
  };
  const others = sessions?.filter(({ current }) => !current) ?? [];
  return (
    <>
      {failure !== null && (
        <Banner action={<Button onClick={() => void load()}>Retry</Button>}>{failure}</Banner>
      )}
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
      <span className="session-times">{sessionTimes(session, Date.now())}</span>
      {!session.current && (
        <Button disabled={isBusy} aria-label={`End ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
