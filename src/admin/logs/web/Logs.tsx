import { lazy, Suspense, useMemo, useState } from 'react';
import { formatNumber } from '../../../texts/format.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { SectionTools } from '../../web/parts/SectionTools.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { fetchLogs } from './api.ts';
import { LogList } from './LogList.tsx';
import { LogView } from './LogView.tsx';
import type { LogFile } from './readLogs.ts';
import { useLogActions } from './useLogActions.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../../web/ui/ConfirmDialog.tsx')).ConfirmDialog,
}));

/** The files of the logs folder: to be read, followed, saved and cleared. */
export function Logs() {
  const loaded = useLoaded(fetchLogs, ADMIN_MESSAGES.listLogs);
  const [chosen, choose] = useState<string | null>(null);
  const [clearings, setClearings] = useState(0);
  const actions = useLogActions(() => {
    setClearings((count) => count + 1);
    void loaded.reload();
  });
  const { failure, asked } = actions;
  return (
    <>
      {failure !== null && <Banner onDismiss={actions.dismissFailure}>{failure}</Banner>}
      <LoadedBody loaded={loaded} label="Loading logs…">
        {(logs) => (
          <Files
            logs={logs}
            chosen={chosen}
            clearings={clearings}
            isBusy={loaded.isLoading || actions.isBusy}
            onShow={choose}
            onDownload={actions.download}
            onClear={actions.ask}
            onRefresh={() => void loaded.reload()}
          />
        )}
      </LoadedBody>
      {asked !== null && (
        <Suspense fallback={null}>
          <ConfirmDialog
            open
            title="Clear log"
            action="Clear"
            isBusy={actions.isBusy}
            onConfirm={() => actions.clear(asked)}
            onCancel={() => actions.ask(null)}
          >
            {`Clear all contents of ${asked}?`}
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  );
}

type FilesProps = {
  logs: readonly LogFile[];
  chosen: string | null;
  clearings: number;
  isBusy: boolean;
  onShow(name: string): void;
  onDownload(name: string): void;
  onClear(name: string): void;
  onRefresh(): void;
};

const filesText = (count: number): string => `${formatNumber(count, 0)} ${count === 1 ? 'file' : 'files'}`;

function Files({ logs, chosen, clearings, onRefresh, ...list }: FilesProps) {
  // A file that has gone, or none that was chosen: the one that is written.
  const shown = logs.find(({ name }) => name === chosen)?.name ?? logs[0]?.name ?? null;
  // As old as they were when they were listed.
  const now = useMemo(() => (logs ? Date.now() : 0), [logs]);
  return (
    <>
      <SectionTools label="Refresh list" isLoading={list.isBusy} onRefresh={onRefresh}>
        <span className="muted">{filesText(logs.length)}</span>
      </SectionTools>
      {logs.length === 0 ? (
        <EmptyState>There are no log files.</EmptyState>
      ) : (
        <LogList logs={logs} shown={shown} now={now} {...list} />
      )}
      {shown !== null && <LogView key={shown} name={shown} clearings={clearings} />}
    </>
  );
}
