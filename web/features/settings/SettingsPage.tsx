import { useState } from 'react';
import { loadSettings, settingsError } from '../../shared/settings.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { AccountPanel } from './account/AccountPanel.tsx';
import { ColumnsPanel } from './columnsConfigurator/ColumnsPanel.tsx';
import { ClaimBanner } from './linkedChats/ClaimBanner.tsx';
import { LinkedChatsPanel } from './linkedChats/LinkedChatsPanel.tsx';
import { NotificationsPanel } from './notifications/NotificationsPanel.tsx';
import { AppearancePanel } from './parts/AppearancePanel.tsx';
import { QuoteLinkPanel } from './parts/QuoteLinkPanel.tsx';
import { UpgradePanel } from './upgrade/UpgradePanel.tsx';

/** The settings of the signed-in user, and how this browser shows the product. */
export function SettingsPage() {
  return (
    <Page width="narrow">
      <h1>Settings</h1>
      <ClaimBanner />
      {settingsError.value && <LoadFailure message={settingsError.value} />}
      <AccountPanel />
      <UpgradePanel />
      <QuoteLinkPanel />
      <ColumnsPanel />
      <LinkedChatsPanel />
      <NotificationsPanel />
      <AppearancePanel />
    </Page>
  );
}

/** Why the settings could not be loaded, with a Retry. */
function LoadFailure({ message }: { message: string }) {
  const [isLoading, setLoading] = useState(false);
  const retry = async () => {
    setLoading(true);
    await loadSettings();
    setLoading(false);
  };
  return (
    <Banner
      action={
        <Button disabled={isLoading} onClick={() => void retry()}>
          Retry
        </Button>
      }
    >
      {message}
    </Banner>
  );
}
