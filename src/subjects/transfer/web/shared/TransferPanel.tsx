import { type ChangeEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';

const loadPreview = () => import('../FilePreview.tsx').then((code) => ({ default: code.FilePreview }));
const loadRequests = () => import('../FilePreview.tsx');

export function TransferPanel(): ReactNode {
  const [file, setFile] = useState<{ chosen: File; turn: number } | null>(null);
  const [Preview, setPreview] = useState(() => lazy(loadPreview));
  const choose = (chosen: File) => setFile((before) => ({ chosen, turn: (before?.turn ?? 0) + 1 }));
  return (
    <section className="panel" aria-labelledby="transfer-panel">
      <h2 id="transfer-panel">Move to another server</h2>
      <p className="muted">
        Export your columns, scans, watchlists with notes and targets, alerts, preferences and quiet hours as
        one file, and import it on another server. The file also lists your calls, which are not imported. It
        contains no passwords, chats or devices.
      </p>
      <div className="wrap gap-2-3">
        <DownloadButton />
        <FileButton onChoose={choose} />
      </div>
      {file !== null && (
        <RetryBoundary
          sentence="The import could not be loaded. Check your connection and try again."
          onRetry={() => setPreview(() => lazy(loadPreview))}
        >
          <Suspense fallback={<SkeletonRows rows={3} label="Reading the file…" />}>
            <Preview key={file.turn} file={file.chosen} onClose={() => setFile(null)} />
          </Suspense>
        </RetryBoundary>
      )}
    </section>
  );
}

function DownloadButton(): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const download = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setFailure(await (await loadRequests()).downloadSetUp());
    } catch {
      // The code could not be loaded.
      setFailure('Your settings could not be exported. Try again.');
    }
    setBusy(false);
  };
  return (
    <>
      <Button disabled={isBusy} onClick={() => void download()}>
        {isBusy ? 'Exporting…' : 'Export settings'}
      </Button>
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
    </>
  );
}

/** A button, because the browser's own file input would be in the browser's language. */
function FileButton({ onChoose }: { onChoose(file: File): void }): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const importFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file) onChoose(file);
    // Allows choosing the same file again after it has changed.
    target.value = '';
  };
  return (
    <>
      <Button onClick={() => box.current?.click()}>Import…</Button>
      <input
        ref={box}
        type="file"
        hidden
        aria-label="Settings file"
        accept=".json,application/json"
        onChange={importFile}
      />
    </>
  );
}
