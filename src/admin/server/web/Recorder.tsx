import { type FormEvent, useState } from 'react';
import { formatTime } from '#texts/format.ts';
import { humanSize } from '#lib/humanSize.ts';
import { api, messageOf, unwrap } from '#web/api/client.ts';
import { requireDone } from '#web/api/done.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/TextField.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import type { RecordingsView } from '#admin/recordings/answers/recordings.ts';

/** Does something to the recordings and says why when it can't be done. */
export function useRecordingAction(reload: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const run = async (action: () => Promise<unknown>, failure: string) => {
    setBusy(true);
    setRefusal(null);
    try {
      requireDone(await asAdminAction('other', action()), failure);
      await reload();
    } catch (problem) {
      setRefusal(messageOf(problem, failure));
    }
    setBusy(false);
  };
  return { isBusy, refusal, run, dismiss: () => setRefusal(null) };
}

export type RecordingAction = ReturnType<typeof useRecordingAction>;

export type RecorderProps = { view: RecordingsView; action: RecordingAction };

/** The recording under way or the way to begin one, and why the last one ended early. */
export function Recorder({ view, action }: RecorderProps) {
  return (
    <>
      {view.failure && (
        <Banner variant="warn">
          The recording {view.failure.name} ended early. {view.failure.reason}
        </Banner>
      )}
      {view.running ? (
        <Running running={view.running} action={action} />
      ) : (
        <Begin key={view.suggestion} view={view} action={action} />
      )}
      {action.refusal !== null && <Banner onDismiss={action.dismiss}>{action.refusal}</Banner>}
    </>
  );
}

function Begin({ view, action }: RecorderProps) {
  const [name, setName] = useState(view.suggestion);
  const begin = (event: FormEvent) => {
    event.preventDefault();
    void action.run(() => unwrap(api.admin.recordings.post({ name })), 'The recording could not be started.');
  };
  return (
    <>
      <p className="muted">
        Records everything the market receives, to play it again later: about 40 MB a day. It stops at the end
        of the session.{view.disk.free !== null && ` ${humanSize(view.disk.free)} free on the disk.`}
      </p>
      <form className="recording-begin" noValidate onSubmit={begin}>
        <TextField
          label="Name"
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={action.isBusy}>
          Record
        </Button>
      </form>
    </>
  );
}

function Running({
  running,
  action,
}: {
  running: NonNullable<RecordingsView['running']>;
  action: RecordingAction;
}) {
  const { name, from, size } = running;
  const stop = () =>
    void action.run(() => unwrap(api.admin.recordings.stop.post()), 'The recording could not be stopped.');
  return (
    <div className="recording-running">
      <p role="status">
        Recording {name}
        {from !== null && ` since ${formatTime(from)} in Sydney`}
        {size > 0 && `, ${humanSize(size)} on the disk`}.
      </p>
      <Button disabled={action.isBusy} onClick={stop}>
        {action.isBusy ? 'Stopping…' : 'Stop recording'}
      </Button>
    </div>
  );
}
