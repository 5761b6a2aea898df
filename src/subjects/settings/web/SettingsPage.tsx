import { useState } from 'react';
import { loadSettings, settingsError } from '../../../../web/shared/settings.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { Page } from '../../../../web/ui/Page.tsx';
import { AccountPanel } from '../../accounts/web/shared/account/AccountPanel.tsx';
import { ColumnsPanel } from '../../scanners/web/shared/columnsConfigurator/ColumnsPanel.tsx';
import { ClaimBanner } from '../../chats/web/shared/linkedChats/ClaimBanner.tsx';
import { LinkedChatsPanel } from '../../chats/web/shared/linkedChats/LinkedChatsPanel.tsx';
import { NotificationsPanel } from './notifications/NotificationsPanel.tsx';
import { AppearancePanel } from './parts/AppearancePanel.tsx';
import { QuoteLinkPanel } from './parts/QuoteLinkPanel.tsx';
import { UpgradePanel } from '../../accounts/web/shared/upgrade/UpgradePanel.tsx';

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
