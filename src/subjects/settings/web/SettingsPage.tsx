import { useState } from 'react';
import { loadSettings, settingsError, saveQuoteLink, settings, setUps } from '#web/shared/settings.ts';
import { Banner } from '#ui/Banner.tsx';
import { RetryBanner } from '#ui/RetryBanner.tsx';
import { Page } from '#ui/Page.tsx';
import { AccountPanel } from '#subjects/accounts/web/shared/account/AccountPanel.tsx';
import { ColumnsPanel } from '#subjects/scanners/web/shared/columnsConfigurator/ColumnsPanel.tsx';
import { ClaimBanner } from '#subjects/chats/web/shared/linkedChats/ClaimBanner.tsx';
import { LinkedChatsPanel } from '#subjects/chats/web/shared/linkedChats/LinkedChatsPanel.tsx';
import { DevicesPanel } from '#subjects/devices/web/shared/DevicesPanel.tsx';
import { QuietHoursPanel } from '#subjects/quietHours/web/shared/QuietHoursPanel.tsx';
import { TransferPanel } from '#subjects/transfer/web/shared/TransferPanel.tsx';
import { NotificationsPanel } from './notifications/NotificationsPanel.tsx';
import { UpgradePanel } from '#subjects/accounts/web/shared/upgrade/UpgradePanel.tsx';
import type { Refusal } from '#lib/result.ts';
import { QUOTE_LINKS } from '#market/rules/quoteLink.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import './SettingsPage.css';
import {
  type Density,
  type Directions,
  prefer,
  preferences,
  type ThemeChoice,
} from '#web/shared/preferences.ts';
import { RadioGroup } from '#ui/RadioGroup.tsx';

const THEMES: readonly { id: ThemeChoice; label: string }[] = [
  { id: 'system', label: 'Follow the system' },
  { id: 'dark', label: 'Dark' },
  { id: 'light', label: 'Light' },
];
const DIRECTIONS: readonly { id: Directions; label: string }[] = [
  { id: 'green-red', label: 'Green and red' },
  { id: 'blue-orange', label: 'Blue and orange' },
  { id: 'monochrome', label: 'Monochrome' },
];
const DENSITIES: readonly { id: Density; label: string }[] = [
  { id: 'compact', label: 'Compact' },
  { id: 'comfortable', label: 'Comfortable' },
];

/** How this browser shows the product. */
function AppearancePanel() {
  const { theme, directions, density } = preferences.value;
  return (
    <section className="panel" aria-labelledby="appearance-panel">
      <h2 id="appearance-panel">Appearance</h2>
      <p className="muted">Saved in this browser only.</p>
      <RadioGroup label="Theme" value={theme} options={THEMES} onChoose={(id) => prefer({ theme: id })} />
      <RadioGroup
        label="Price directions"
        value={directions}
        options={DIRECTIONS}
        onChoose={(id) => prefer({ directions: id })}
      />
      <p className="directions-sample" aria-label="Example of rising and falling prices">
        <span className="up">▲ +1.5%</span>
        <span className="down">▼ −0.8%</span>
        <span className="flat">0.0%</span>
      </p>
      <RadioGroup
        label="Table rows"
        value={density}
        options={DENSITIES}
        onChoose={(id) => prefer({ density: id })}
      />
    </section>
  );
}

/** Chooses the site that a stock's name in the tables links to. */
function QuoteLinkPanel() {
  const loaded = settings.value;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return (
    <section className="panel" aria-labelledby="quote-panel">
      <h2 id="quote-panel">Quote link preference</h2>
      <p className="muted">A stock’s name in the tables links to its page on this site.</p>
      <div className="quote-link-select">
        <NativeSelect
          label="Quote site"
          value={loaded?.quoteSite ?? 'none'}
          disabled={!loaded}
          options={QUOTE_LINKS}
          aria-invalid={refusal?.field === 'site' || undefined}
          onChoose={(quoteLink) => {
            setRefusal(null);
            void saveQuoteLink(quoteLink).then(setRefusal);
          }}
        />
      </div>
      {refusal && <Banner onDismiss={() => setRefusal(null)}>{refusal.message}</Banner>}
    </section>
  );
}

/** The settings of the signed-in user, and how this browser shows the product. */
export function SettingsPage() {
  return (
    <Page width="narrow">
      <h1>Settings</h1>
      <ClaimBanner />
      {settingsError.value && <RetryBanner onRetry={loadSettings}>{settingsError.value}</RetryBanner>}
      <AccountPanel />
      <UpgradePanel />
      <QuoteLinkPanel />
      <ColumnsPanel />
      <LinkedChatsPanel />
      <DevicesPanel key={`devices ${setUps.value}`} />
      <QuietHoursPanel key={`quiet ${setUps.value}`} />
      <NotificationsPanel />
      <AppearancePanel />
      <TransferPanel />
    </Page>
  );
}
