import type { ReactNode } from 'react';
import { useState } from 'react';
import { api, unwrap } from '../../../../web/api/client.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx';
import type { RecordingsView } from './readRecordings.ts';
import { ServerReturnLine } from '../../web/parts/ServerReturnLine.tsx';
import type { usePlaying } from './usePlaying.ts';

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
    void ask(() => unwrap(api.admin.recordings({ name }).play.post()), 'The recording could not be played.');
  };
  const end = () => {
    setEnding(false);
    void ask(() => unwrap(api.admin.recordings['end-replay'].post()), 'The replay could not be ended.');
  };
  return (
    <>
      {now && (
        <div className="recording-running">
          <p role="status">Everybody sees the recording {now.name}.</p>
          <Button variant="primary" disabled={isBusy} onClick={() => setEnding(true)}>
            Back to {now.instead}
          </Button>
        </div>
      )}
      {view.noPlay !== null && <p className="muted">{view.noPlay}</p>}
      {refusal !== null && <Banner onDismiss={dismiss}>{refusal}</Banner>}
      <ServerReturnLine server={server} />
      <ConfirmDialog
        open={wanted !== null}
        title="Play the recording to everybody?"
        action="Play"
        variant="primary"
        onConfirm={() => wanted !== null && play(wanted)}
        onCancel={onAnswered}
      >
        <p>
          The server restarts, then everybody sees {wanted} from its start instead of the market, until you
          end it here. Another restart plays it from its start again.
        </p>
        <p>
          Calls, news and market days stay separate. Alerts watch the recording meanwhile: their messages say
          that it is a replay, and an alert that fires once is then switched off.
        </p>
        {view.running && <p>The recording under way, {view.running.name}, stops.</p>}
      </ConfirmDialog>
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
