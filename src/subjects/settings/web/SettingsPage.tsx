import { type ReactNode, useState } from 'react';
import { loadSettings, settingsError, saveQuoteLink, settings } from '#web/shared/settings.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { AccountPanel } from '#subjects/accounts/web/shared/account/AccountPanel.tsx';
import { ClaimBanner } from '#subjects/chats/web/shared/ClaimBanner.tsx';
import { TransferPanel } from '#subjects/transfer/web/shared/TransferPanel.tsx';
import { UpgradePanel } from '#subjects/accounts/web/shared/UpgradePanel.tsx';
import type { Refusal } from '#lib/result.ts';
import { QUOTE_LINKS } from '#market/rules/quoteSite.ts';
import { NativeSelect, RadioGroup } from '#ui/Field.tsx';
import {
  type Density,
  type Directions,
  prefer,
  preferences,
  type ThemeChoice,
} from '#web/shared/preferences.ts';
import { pendingLinkToken } from '#subjects/accounts/web/shared/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { SETTINGS_PATH, type SettingsSection } from '#web/router/routes.ts';
import { startTour } from '#web/shared/tour.ts';
import { lateWithRetry } from '#web/shared/lateStyles.ts';
import { SectionPage } from '#web/shared/SectionPage.tsx';
import { SETTINGS_SECTIONS } from './shared/sections.ts';

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
      <p className="cluster gap-4 table-text" aria-label="Example of rising and falling prices">
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

function QuoteLinkPanel() {
  const loaded = settings.value;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return (
    <section className="panel" aria-labelledby="quote-panel">
      <h2 id="quote-panel">Quote link preference</h2>
      <p className="muted">A stock’s name in the tables links to its page on this site.</p>
      <div className="narrow">
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

function TourPanel() {
  return (
    <section className="panel" aria-labelledby="tour-panel">
      <h2 id="tour-panel">Tour</h2>
      <p className="muted">A line below the screen leads through the first four steps.</p>
      <div className="cluster">
        <Button onClick={startTour}>Start the tour</Button>
      </div>
    </section>
  );
}

const Columns = lateWithRetry(() =>
  import('#subjects/scanners/web/shared/columns/ColumnsPanel.tsx').then((code) => code.ColumnsPanel),
);
const LinkedChats = lateWithRetry(() =>
  import('#subjects/chats/web/shared/LinkedChatsPanel.tsx').then((code) => code.LinkedChatsPanel),
);
const Notifications = lateWithRetry(() =>
  import('./NotificationSection.tsx').then((code) => code.NotificationSection),
);

function LateSection({ of }: { of: typeof Columns }) {
  const { Code, hasFailed, retry } = of.useCode();
  if (Code !== null) return <Code />;
  if (!hasFailed) return <SkeletonRows rows={6} label="Loading the section…" />;
  return <Banner action={<Button onClick={retry}>Retry</Button>}>This section could not be loaded.</Banner>;
}

const CONTENTS: Readonly<Record<SettingsSection, () => ReactNode>> = {
  account: () => (
    <>
      <AccountPanel />
      <TourPanel />
    </>
  ),
  upgrade: () => <UpgradePanel />,
  'quote-link': () => <QuoteLinkPanel />,
  columns: () => <LateSection key="columns" of={Columns} />,
  'linked-accounts': () => <LateSection key="linked-accounts" of={LinkedChats} />,
  notifications: () => <LateSection key="notifications" of={Notifications} />,
  appearance: () => <AppearancePanel />,
  move: () => <TransferPanel />,
};

export function SettingsPage() {
  // A link from a chat is shown where the chats are.
  const [first] = useState(
    (): SettingsSection => (pendingLinkToken() === null ? 'account' : 'linked-accounts'),
  );
  return (
    <SectionPage
      path={SETTINGS_PATH}
      title="Settings"
      sections={SETTINGS_SECTIONS}
      first={first}
      isNarrow
      banners={
        <>
          <ClaimBanner />
          {settingsError.value && <RetryBanner onRetry={loadSettings}>{settingsError.value}</RetryBanner>}
        </>
      }
    >
      {({ id }) => CONTENTS[id]()}
    </SectionPage>
  );
}
