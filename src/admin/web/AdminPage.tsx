import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { SECOND_FACTOR_PLACE } from '#subjects/accounts/web/shared/account/accountRequests.ts';
import { settings, settingsError } from '#web/shared/settings.ts';
import { Banner } from '#ui/Banner.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Page } from '#ui/Page.tsx';
import { CallReview } from '../callReview/web/CallReview.tsx';
import { CatalogStatus } from '../catalog/web/CatalogStatus.tsx';
import { Closures } from '../closures/web/Closures.tsx';
import { Channels } from '../channels/web/Channels.tsx';
import { EndpointActivity } from '../endpoints/web/EndpointActivity.tsx';
import { StateInspector } from '../inspector/web/StateInspector.tsx';
import { ServerAlerts } from '../serverAlerts/web/ServerAlerts.tsx';
import { Connections } from '../reachability/web/Connections.tsx';
import { Logs } from '../logs/web/Logs.tsx';
import { Relays } from '../relays/web/Relays.tsx';
import { ManualQuestion } from '../question/web/ManualQuestion.tsx';
import { ServerSettings } from '../settings/web/ServerSettings.tsx';
import { ServerControls } from '../server/web/ServerControls.tsx';
import { UpgradeRequests } from '../upgradeRequests/web/UpgradeRequests.tsx';
import { AllUsers } from '../users/web/AllUsers.tsx';
import { lastServerAlerts, shareServerAlerts, waitingIn } from '../serverAlerts/web/shared/WaitingCount.tsx';
import { currentHash, pageOf } from '#web/router/navigate.ts';
import { ADMIN_PATH } from '#web/router/routes.ts';
import { SectionPage } from '#web/shared/SectionPage.tsx';
import { noteDemand } from './parts/adminActions.ts';
import { Headed } from './parts/RecordTable.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { ADMIN_SECTIONS, type AdminSectionId } from './shared/sections.ts';
import './admin.css';

type AdminSectionProps = { id: string; title: string; children: ReactNode };

function AdminSection({ id, title, children }: AdminSectionProps) {
  return (
    <section className="panel admin-section" id={`admin-${id}`} aria-labelledby={`admin-${id}-title`}>
      <Headed level={2} id={`admin-${id}-title`} title={title}>
        {children}
      </Headed>
    </section>
  );
}

const CONTENTS: Readonly<Record<AdminSectionId, ComponentType>> = {
  'server-alerts': ServerAlerts,
  'upgrade-requests': UpgradeRequests,
  'call-review': CallReview,
  catalog: CatalogStatus,
  endpoints: EndpointActivity,
  server: ServerControls,
  logs: Logs,
  question: ManualQuestion,
  users: AllUsers,
  inspector: StateInspector,
  channels: Channels,
  relays: Relays,
  closures: Closures,
  connections: Connections,
  configuration: ServerSettings,
};

/** The section to show at `#/admin`: the first in which something waits. It stays until another is opened. */
function useFirst(isLoaded: boolean): AdminSectionId | null {
  const isOther = pageOf(currentHash.value, ADMIN_PATH).length > 0;
  const kept = useRef<AdminSectionId | null>(null);
  if (isOther) kept.current = null;
  else if (isLoaded) {
    kept.current ??= ADMIN_SECTIONS.find(({ id }) => waitingIn.peek()[id])?.id ?? 'server-alerts';
  }
  return isOther ? 'server-alerts' : kept.current;
}

function Sections() {
  const { error, problem } = useLoaded(shareServerAlerts, ADMIN_MESSAGES.loadNotices);
  useEffect(() => noteDemand(problem), [problem]);
  const answer = lastServerAlerts.value;
  const first = useFirst(answer !== null || error !== null);
  if (first === null) return <Loading />;
  const waiting = waitingIn.value;
  const sections = ADMIN_SECTIONS.filter(({ id }) => id !== 'relays' || answer?.hasRelays === true).map(
    (section) => ({ ...section, count: waiting[section.id] ?? 0 }),
  );
  return (
    <SectionPage path={ADMIN_PATH} title="Admin Panel" name="Admin" sections={sections} first={first}>
      {({ id, title }) => {
        const Content = CONTENTS[id];
        return (
          <AdminSection id={id} title={title}>
            <Content />
          </AdminSection>
        );
      }}
    </SectionPage>
  );
}

const Loading = () => (
  <Page>
    <h1>Admin Panel</h1>
    <SkeletonRows rows={6} label="Loading the Admin Panel…" />
  </Page>
);

/** Shown instead of the sections, because the server would refuse each of them. */
const NeedsSecondFactor = () => (
  <div>
    <Banner
      variant="warn"
      action={
        <a className="button button-primary" href={`#${SECOND_FACTOR_PLACE}`}>
          Set up two-factor login
        </a>
      }
    >
      {ADMIN_MESSAGES.needsSecondFactor}
    </Banner>
  </div>
);

/** The Admin Panel. It loads nothing until it is known whether the server requires two-factor login. */
export function AdminPage() {
  const lacks = settings.value?.lacksSecondFactor;
  const wasKnown = useRef(false);
  // If the settings cannot be loaded, each section shows the server's answer.
  wasKnown.current ||= lacks !== undefined || settingsError.value !== null;
  if (!lacks) return wasKnown.current ? <Sections /> : <Loading />;
  return (
    <Page>
      <h1>Admin Panel</h1>
      <NeedsSecondFactor />
    </Page>
  );
}
