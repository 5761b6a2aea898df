import { type ReactNode, useState, useEffect } from 'react';
import { request, messageOf } from '#web/api/client.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import type { RecordingsView } from '#admin/recordings/answers/recordings.ts';
import { ServerReturnLine } from '#admin/web/parts/ServerReturnLine.tsx';
import { requireDone } from '#web/api/done.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { askProcess, useServerReturn } from '#admin/web/parts/useServerReturn.ts';

const SILENT = 'The server does not answer. Nothing was changed; try again.';

/**
 * Asks for what another market begins with, after a restart, and waits for that.
 * @param onBack called when the next process answers
 */
export function usePlaying(onBack: () => void) {
  const server = useServerReturn();
  const { standing } = server;
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    if (standing === 'back') onBack();
  }, [standing, onBack]);
  const ask = async (action: () => Promise<unknown>, failure: string) => {
    setRefusal(null);
    setSending(true);
    server.reset();
    try {
      const before = await askProcess();
      if (before === null) setRefusal(SILENT);
      else {
        requireDone(await asAdminAction('other', action()), failure);
        server.waitForNext(before);
      }
    } catch (problem) {
      setRefusal(messageOf(problem, failure));
    }
    setSending(false);
  };
  return {
    server,
    refusal,
    ask,
    isBusy: isSending || standing === 'waiting',
    dismiss: () => setRefusal(null),
  };
}

export type RecordingPlayerProps = {
  view: RecordingsView;
  playing: ReturnType<typeof usePlaying>;
  /** The recording that somebody wants to play; null when there is none. */
  wanted: string | null;
  /** The question was answered. */
  onAnswered(): void;
};

/** What is played from here and the way back, and the questions before the one and the other. */
export function RecordingPlayer({ view, playing, wanted, onAnswered }: RecordingPlayerProps): ReactNode {
  const [isEnding, setEnding] = useState(false);
  const { ask, isBusy, refusal, dismiss, server } = playing;
  const now = view.playing;
  const play = (name: string) => {
    onAnswered();
    void ask(
      () => request('POST /api/admin/recordings/:name/play', { params: { name } }),
      'The recording could not be played.',
    );
  };
  const end = () => {
    setEnding(false);
    void ask(() => request('POST /api/admin/recordings/end-replay'), 'The replay could not be ended.');
  };
  return (
    <>
      {now && (
        <div className="row">
          <p role="status">Everybody sees the recording {now.name}.</p>
          <Button variant="primary" disabled={isBusy} onClick={() => setEnding(true)}>
            Back to {now.instead}
          </Button>
        </div>
      )}
      {view.noPlay !== null && <p className="muted">{view.noPlay}</p>}
      {refusal !== null && <Banner onDismiss={dismiss}>{refusal}</Banner>}
      <ServerReturnLine server={server} />
      <PlayDialog wanted={wanted} running={view.running} onPlay={play} onCancel={onAnswered} />
      <ConfirmDialog
        open={isEnding}
        title="End the replay?"
        action="End replay"
        variant="primary"
        onConfirm={end}
        onCancel={() => setEnding(false)}
      >
        <p>The server restarts, then everybody sees {now?.instead ?? 'the market'} again.</p>
      </ConfirmDialog>
    </>
  );
}

type PlayDialogProps = Pick<RecordingPlayerProps, 'wanted'> & {
  running: RecordingsView['running'];
  onPlay(name: string): void;
  onCancel(): void;
};

function PlayDialog({ wanted, running, onPlay, onCancel }: PlayDialogProps) {
  return (
    <ConfirmDialog
      open={wanted !== null}
      title="Play the recording to everybody?"
      action="Play"
      variant="primary"
      onConfirm={() => wanted !== null && onPlay(wanted)}
      onCancel={onCancel}
    >
      <p>
        The server restarts, then everybody sees {wanted} from its start instead of the market, until you end
        it here. Another restart plays it from its start again.
      </p>
      <p>
        Calls, news and market days stay separate. Alerts watch the recording meanwhile: their messages say
        that it is a replay, and an alert that fires once is then switched off.
      </p>
      {running && <p>The recording under way, {running.name}, stops.</p>}
    </ConfirmDialog>
  );
}
