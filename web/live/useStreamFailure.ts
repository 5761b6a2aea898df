import { useEffect, useState } from 'react';
import type { Connection } from './stream/protocol.ts';

/** Said when no snapshot can be had. */
export const STREAM_FAILED =
  'The market data stream can’t be reached. Check your connection, then try again.';

/** A server that accepts the connection but sends no snapshot for so long counts as out of reach. */
const FIRST_SNAPSHOT_TIMEOUT_MS = 15_000;

/**
 * Whether the first snapshot can not be had: the connection is down, or open for too long without one.
 * @param isWaiting no snapshot has come yet
 * @param onRetry opens the connection again
 * @returns `retry` calls onRetry and starts the time-out from the beginning
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

/** True once the waiting has lasted for this many ms; another attempt starts the time again. */
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

/** Longer than the rest of the market takes to follow its first part. */
const LASTING_MS = 1500;

/** Whether something has been so for a while: unless told otherwise for longer than the market takes to come whole, in its parts. */
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
