import { useEffect, useState } from 'react';
import type { Connection } from './stream/protocol.ts';

export const STREAM_FAILED =
  'The market data stream can’t be reached. Check your connection, then try again.';

/** If an open connection has sent no snapshot after this time (ms), it counts as failed. */
const FIRST_SNAPSHOT_TIMEOUT_MS = 15_000;

/**
 * Whether the first snapshot does not arrive, because of a disconnection or a timeout.
 * @param isWaiting true before the first snapshot
 * @param onRetry reconnects
 * @returns `retry` calls onRetry and restarts the timeout
 */
export function useStreamFailure(isWaiting: boolean, connection: Connection, onRetry: () => void) {
  const [attempt, setAttempt] = useState(0);
  const isTimedOut = useTimedOut(isWaiting, FIRST_SNAPSHOT_TIMEOUT_MS, attempt);
  const isDown = connection === 'disconnected' || connection === 'reconnecting';
  return {
    hasFailed: isWaiting && (isTimedOut || isDown),
    retry(): void {
      setAttempt(attempt + 1);
      onRetry();
    },
  };
}

/** True after waiting for `ms`; another `attempt` restarts the time. */
function useTimedOut(isWaiting: boolean, ms: number, attempt: number): boolean {
  const [isTimedOut, setTimedOut] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setTimedOut(true), ms);
    return () => {
      clearTimeout(timer);
      setTimedOut(false);
    };
  }, [isWaiting, ms, attempt]);
  return isWaiting && isTimedOut;
}

/** Longer than the rest of the market takes after its first part, ms. */
const LASTING_MS = 1500;

/** Whether a condition has lasted for some time, by default longer than the market takes to arrive in parts. */
export function useLasting(isNow: boolean, ms = LASTING_MS): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isNow) return;
    const timer = setTimeout(() => setLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [isNow, ms]);
  return isNow && hasLasted;
}
