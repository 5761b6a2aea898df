import { useEffect, useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { messageOf, readAnswer, readerOf, readRefusal, request } from '#web/api/client.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { BackupControls } from '#admin/backups/web/shared/BackupControls.tsx';
import { RecordingControls } from '#admin/recordings/web/shared/RecordingControls.tsx';
import { askProcess, ServerReturnLine, useServerReturn } from '#admin/web/parts/ServerReturn.tsx';
import { infoAnswer, type ServerInfo } from '../answers/server.ts';
import { SupportControls } from '#admin/support/web/shared/SupportControls.tsx';
import { UpdateControls } from '#admin/updates/web/shared/UpdateControls.tsx';
import { readBoolean } from '#lib/read.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { DASH, formatMinutes } from '#texts/format.ts';
import { FactList } from '#admin/web/parts/RecordTable.tsx';

/** '45 s', '12 min', '1 h 05 min', '3 days 4 h 05 min'. @param seconds null gives a dash */
function uptimeText(seconds: number | null): string {
  if (seconds === null) return DASH;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440);
  const rest = formatMinutes(minutes % 1440);
  if (days === 0) return rest;
  return `${days} ${days === 1 ? 'day' : 'days'} ${rest}`;
}

function ServerInfoList({ info }: { info: ServerInfo }) {
  const { pid, node, branch, commit, uptimeSec, version } = info;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['PID', pid === null ? DASH : String(pid)],
    ['Node', node ?? DASH],
    ['Branch', branch ?? DASH],
    ['Commit', commit?.slice(0, 12) ?? DASH],
    ['Uptime', uptimeText(uptimeSec)],
    ['Version', version ?? DASH],
  ];
  return (
    <>
      <FactList facts={lines} />
      {info.onTrial && <p role="status">This version is on trial after an update.</p>}
    </>
  );
}

/** @returns why the server does not restart, or null if it does @throws ApiError if it refuses or is unreachable */
async function requestRestart(): Promise<string | null> {
  const body = await asAdminAction('other', request('POST /api/admin/server/restart', { read: readAnswer }));
  const refusal = readRefusal(body, ADMIN_MESSAGES.restart);
  if (refusal !== null) return refusal.message;
  return readBoolean(body.restarting) === true ? null : ADMIN_MESSAGES.restartUnconfirmed;
}

const loadInfo = (): Promise<ServerInfo> =>
  request('GET /api/admin/server/info', { read: readerOf(infoAnswer) });

export function ServerControls() {
  const info = useLoaded(loadInfo, ADMIN_MESSAGES.loadServerInfo);
  const { reload } = info;
  return (
    <div className="stack gap-4 self-stretch min-w-0">
      <LoadedBody loaded={info} label="Loading server info…">
        {(data) => (
          <>
            <ServerInfoList info={data} />
            <Restart info={data} onBack={reload} />
          </>
        )}
      </LoadedBody>
      <UpdateControls onBack={reload} />
      <BackupControls />
      <RecordingControls onBack={reload} />
      <SupportControls />
    </div>
  );
}

type RestartProps = { info: ServerInfo; onBack(): Promise<void> };

function useRestart({ info, onBack }: RestartProps) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const server = useServerReturn();
  const { progress } = server;
  useEffect(() => {
    if (progress === 'back') void onBack();
  }, [progress, onBack]);

  const restart = async () => {
    setFailure(null);
    setSending(true);
    server.reset();
    const before = (await askProcess()) ?? { ...info, uptimeSec: null, askedAt: performance.now() };
    try {
      const refusal = await requestRestart();
      setFailure(refusal);
      if (refusal === null) server.waitForNext(before);
    } catch (problem) {
      setFailure(messageOf(problem, ADMIN_MESSAGES.restart));
    }
    setSending(false);
  };
  return {
    server,
    failure,
    dismiss: () => setFailure(null),
    isBusy: isSending || progress === 'waiting',
    restart,
  };
}

function Restart(props: RestartProps) {
  const { server, failure, dismiss, isBusy, restart } = useRestart(props);
  const [isAsking, setAsking] = useState(false);
  const { noRestart } = props.info;
  return (
    <div className="stack gap-2 align-start">
      {noRestart === null ? (
        <Button disabled={isBusy} onClick={() => setAsking(true)}>
          Restart
        </Button>
      ) : (
        <p className="muted">{noRestart}</p>
      )}
      {failure !== null && <Banner onDismiss={dismiss}>{failure}</Banner>}
      <ServerReturnLine server={server} />
      <ConfirmDialog
        open={isAsking}
        title="Restart the server?"
        action="Restart"
        variant="primary"
        onConfirm={() => {
          setAsking(false);
          void restart();
        }}
        onCancel={() => setAsking(false)}
      >
        <p>
          Live prices and alerts pause for a few seconds for everyone. Open pages reconnect automatically and
          keep unsaved input.
        </p>
      </ConfirmDialog>
    </div>
  );
}
