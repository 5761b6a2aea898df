import { type ComponentType, type ReactNode, useRef } from 'react';
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
import { Relays, useHasEngine } from '../relays/web/Relays.tsx';
import { ManualQuestion } from '../question/web/ManualQuestion.tsx';
import { ServerSettings } from '../settings/web/ServerSettings.tsx';
import { ServerControls } from '../server/web/ServerControls.tsx';
import { UpgradeRequests } from '../upgradeRequests/web/UpgradeRequests.tsx';
import { AllUsers } from '../users/web/AllUsers.tsx';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import './admin.css';

type SectionIndexProps = { sections: readonly { id: string; title: string }[] };

function goTo(id: string): void {
  document.getElementById(`admin-${id}`)?.scrollIntoView({ block: 'start' });
  document.getElementById(`admin-${id}-title`)?.focus({ preventScroll: true });
}

/** Links to the sections are buttons, because the part of the address after # is the route. */
const SectionIndex = ({ sections }: SectionIndexProps) => (
  <nav className="section-index line-below on-ground" aria-label="Sections">
    <ol>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <button type="button" className="tool" onClick={() => goTo(id)}>
            {title}
          </button>
        </li>
      ))}
    </ol>
  </nav>
);

type AdminSectionProps = { id: string; title: string; children: ReactNode };

/** A section; a failure in it does not affect the others. */
function AdminSection({ id, title, children }: AdminSectionProps) {
  return (
    <section className="panel admin-section" id={`admin-${id}`} aria-labelledby={`admin-${id}-title`}>
      <h2 id={`admin-${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      <RetryBoundary sentence="This section could not be shown.">{children}</RetryBoundary>
    </section>
  );
}

type Section = { id: string; title: string; Content: ComponentType };

/** Sections in the order of the specification, section 2.10. */
const SECTIONS: readonly Section[] = [
  { id: 'upgrades', title: 'Pending Upgrade Requests', Content: UpgradeRequests },
  { id: 'calls', title: 'Calls Awaiting Admin Review', Content: CallReview },
  { id: 'catalog', title: 'Indicator Catalog', Content: CatalogStatus },
  { id: 'endpoints', title: 'External Endpoint Activity', Content: EndpointActivity },
  { id: 'server', title: 'Server Controls', Content: ServerControls },
  { id: 'logs', title: 'Logs', Content: Logs },
  { id: 'question', title: 'Manual Question Response', Content: ManualQuestion },
  { id: 'users', title: 'All Users', Content: AllUsers },
  { id: 'inspector', title: 'Server State Inspector', Content: StateInspector },
  { id: 'channels', title: 'Channels', Content: Channels },
];

/** Server alerts come first, because administrators open the panel for them. */
const SERVER_ALERTS: Section = { id: 'notices', title: 'Server Alerts', Content: ServerAlerts };
/** Sections that are seldom needed; the list of settings has a hundred lines. */
const LAST: readonly Section[] = [
  { id: 'closures', title: 'Market Closures', Content: Closures },
  { id: 'connections', title: 'Connections', Content: Connections },
  { id: 'settings', title: 'Configuration', Content: ServerSettings },
];
const RELAYS: Section = { id: 'relays', title: 'Relays', Content: Relays };

function Sections() {
  const sections = [SERVER_ALERTS, ...SECTIONS, ...(useHasEngine() ? [RELAYS] : []), ...LAST];
  return (
    <>
      <SectionIndex sections={sections} />
      {sections.map(({ id, title, Content }) => (
        <AdminSection key={id} id={id} title={title}>
          <Content />
        </AdminSection>
      ))}
    </>
  );
}

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
  return (
    <Page>
      <h1>Admin Panel</h1>
      {lacks ? (
        <NeedsSecondFactor />
      ) : wasKnown.current ? (
        <Sections />
      ) : (
        <SkeletonRows rows={6} label="Loading the Admin Panel…" />
      )}
    </Page>
  );
}
