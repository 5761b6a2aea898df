import { type ReactNode, useEffect, useState } from 'react';
import { undoTimeLeft } from '#subjects/alerts/rules/alert.ts';
import { Button } from '#ui/Button.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { undoPending } from '../alerts/alertStore.ts';

const CHECK_MS = 200;

/** Seconds until a pending alert fires; 0 for any other. */
export function useSecondsLeft(armsAt: number | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const check = () => setSeconds(Math.ceil(undoTimeLeft(armsAt, Date.now()) / 1000));
    check();
    if (armsAt === null) return;
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [armsAt]);
  return seconds;
}

export function UndoWindow({
  editor,
  isNamed = false,
}: {
  editor: AlertEditor;
  isNamed?: boolean;
}): ReactNode {
  const { saved, symbol } = editor.state.value;
  const seconds = useSecondsLeft(saved?.armsAt ?? null);
  if (seconds === 0) return null;
  return (
    <div className="alert-arming marked tone-warn row">
      <p>
        {/* Announced only once, not every second. */}
        <span className="visually-hidden" role="status">
          {symbol}: already true, fires in five seconds unless you undo.
        </span>
        <span aria-hidden="true">
          {isNamed && `${symbol}: `}Already true: fires in {seconds} s
        </span>
      </p>
      <Button onClick={() => void undoPending(editor)}>Undo</Button>
    </div>
  );
}
