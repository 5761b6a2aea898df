import { useEffect, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { api, messageOf, unwrap } from '../../../../web/api/client.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { ConfirmDialog } from '../../../../web/ui/ConfirmDialog.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { BackupControls } from './BackupControls.tsx';
import { RecordingControls } from './RecordingControls.tsx';
import { readServerInfo, type ServerInfo } from '../../web/parts/readServerInfo.ts';
import { requestRestart } from './requestRestart.ts';
import { ServerInfoList } from './ServerInfoList.tsx';
import { ServerReturnLine } from '../../web/parts/ServerReturnLine.tsx';
import { UpdateControls } from '../../updates/web/shared/UpdateControls.tsx';
import { askProcess, useServerReturn } from '../../web/parts/useServerReturn.ts';
import './ServerControls.css';

const loadInfo = (): Promise<ServerInfo> => unwrap(api.admin.server.info.get(), readServerInfo);

/** The running server: what it is, and the ways to restart, update and back it up. */
export function ServerControls() {
  const info = useLoaded(loadInfo, ADMIN_MESSAGES.loadServerInfo);
  const { reload } = info;
  return (
    <div className="server-controls">
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
    </div>
  );
}

type RestartProps = { info: ServerInfo; onBack(): Promise<void> };

function Restart({ info, onBack }: RestartProps) {
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const server = useServerReturn();
  const { standing } = server;
  useEffect(() => {
    if (standing === 'back') void onBack();
  }, [standing, onBack]);

  const restart = async () => {
    setAsking(false);
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
  return (
    <div className="server-restart">
      {info.noRestart === null ? (
        <Button disabled={isSending || standing === 'waiting'} onClick={() => setAsking(true)}>
          Restart
        </Button>
      ) : (
        <p className="muted">{info.noRestart}</p>
      )}
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
      <ServerReturnLine server={server} />
      <ConfirmDialog
        open={isAsking}
        title="Restart the server?"
        action="Restart"
        variant="primary"
        onConfirm={() => void restart()}
        onCancel={() => setAsking(false)}
      >
        <p>
          Live prices and alerts pause for a few seconds for everyone. Open pages reconnect by themselves and
          keep what is typed in them.
        </p>
      </ConfirmDialog>
    </div>
  );
}
