import { useState } from 'react';
import { loadSettings, settings, settingsError } from '../../shared/settings.ts';
import { UserBadge } from '../../shared/UserBadge.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SkeletonRows } from '../../ui/SkeletonRows.tsx';
import { ColumnsPanel } from './columnsConfigurator/ColumnsPanel.tsx';
import { AppearancePanel } from './parts/AppearancePanel.tsx';
import { QuoteSitePanel } from './parts/QuoteLinkPanel.tsx';

export function SettingsPage() {
  const known = settings.value;
  return (
    <div className="page page-narrow">
      <h1>Settings</h1>
      {settingsError.value && <LoadFailure message={settingsError.value} />}
      <section className="panel" aria-labelledby="account-panel">
        <h2 id="account-panel">Account</h2>
        {known ? <UserBadge /> : !settingsError.value && <SkeletonRows rows={1} label="Loading account…" />}
      </section>
      <QuoteSitePanel />
      <ColumnsPanel />
      <AppearancePanel />
    </div>
  );
}

function LoadFailure({ message }: { message: string }) {
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await loadSettings();
    setBusy(false);
  };
  return (
    <Banner
      action={
        <Button disabled={busy} onClick={() => void retry()}>
          Retry
        </Button>
      }
    >
      {message}
    </Banner>
  );
}
