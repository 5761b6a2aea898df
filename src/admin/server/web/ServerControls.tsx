import { useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { ApiError, readAnswer, readerOf, request } from '#web/api/client.ts';
import { requireDone } from '#web/api/done.ts';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { BackupControls } from '#admin/backups/web/shared/BackupControls.tsx';
import { RecordingControls } from '#admin/recordings/web/shared/RecordingControls.tsx';
import { RestartLine, useRestart } from '#admin/web/parts/ServerReturn.tsx';
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

/** @throws ApiError if the server refuses, or does not confirm it */
async function requestRestart(): Promise<void> {
  const body = await asAdminAction(request('POST /api/admin/server/restart', { read: readAnswer }));
  requireDone(body, ADMIN_MESSAGES.restart);
  const error = ADMIN_MESSAGES.restartUnconfirmed;
  if (readBoolean(body.restarting) !== true) throw new ApiError(error, 409, { error });
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

function Restart({ info: { noRestart }, onBack }: RestartProps) {
  const restarting = useRestart(onBack);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="stack gap-2 align-start">
      {noRestart === null ? (
        <Button disabled={restarting.isBusy} onClick={() => setAsking(true)}>
          Restart
        </Button>
      ) : (
        <p className="muted">{noRestart}</p>
      )}
      <RestartLine restarting={restarting} />
      <ConfirmDialog
        open={isAsking}
        title="Restart the server?"
        action="Restart"
        variant="primary"
        onConfirm={() => {
          setAsking(false);
          void restarting.ask(requestRestart, ADMIN_MESSAGES.restart);
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
