import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { showStock } from '#web/windows/stockPane.ts';
import { isWebAddress } from '#subjects/announcements/web/shared/newsRequests.ts';
import type { CompanyEvent } from '../../rules/companyEvents.ts';

/** What the source states about an event of a company. */
export const CompanyPanel = ({
  company: { code, name, headline, url, date },
}: {
  company: CompanyEvent;
}): ReactNode => (
  <div className="event-panel stack gap-2 align-start">
    <p>
      <strong>{[code, name].filter(Boolean).join(' ')}</strong> announced: {headline}
    </p>
    {date !== null && (
      <p className="muted">The date is in the headline. Bellbird does not read the document.</p>
    )}
    <div className="cluster">
      <Button onClick={() => showStock(code)}>Show {code}</Button>
      {isWebAddress(url) && (
        <a className="touch" href={url} target="_blank" rel="noopener noreferrer">
          Document
        </a>
      )}
    </div>
  </div>
);
