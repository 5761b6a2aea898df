import type { ComponentType } from 'react';
import { Page } from '../../../web/ui/Page.tsx';
import { CallReview } from '../callReview/web/CallReview.tsx';
import { CatalogStatus } from '../catalog/web/CatalogStatus.tsx';
import { Channels } from '../channels/web/Channels.tsx';
import { EndpointActivity } from '../endpoints/web/EndpointActivity.tsx';
import { StateInspector } from '../inspector/web/StateInspector.tsx';
import { Logs } from '../logs/web/Logs.tsx';
import { AdminSection } from './parts/AdminSection.tsx';
import { SectionIndex } from './parts/SectionIndex.tsx';
import { ManualQuestion } from '../question/web/ManualQuestion.tsx';
import { ServerControls } from '../server/web/ServerControls.tsx';
import { UpgradeRequests } from '../upgradeRequests/web/UpgradeRequests.tsx';
import { AllUsers } from '../users/web/AllUsers.tsx';

type Section = { id: string; title: string; Content: ComponentType };

/** In the order of the specification, section 2.10. */
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

/** The Admin Panel. Each section loads by itself, and none takes another down. */
export function AdminPage() {
  return (
    <Page>
      <h1>Admin Panel</h1>
      <SectionIndex sections={SECTIONS} />
      {SECTIONS.map(({ id, title, Content }) => (
        <AdminSection key={id} id={id} title={title}>
          <Content />
        </AdminSection>
      ))}
    </Page>
  );
}
