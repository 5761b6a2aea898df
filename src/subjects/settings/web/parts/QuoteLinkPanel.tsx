import { useState } from 'react';
import type { Refusal } from '../../../../lib/result.ts';
import { QUOTE_LINKS } from '../../../../market/rules/quoteLink.ts';
import { saveQuoteLink, settings } from '../../../../../web/shared/settings.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { NativeSelect } from '../../../../../web/ui/NativeSelect.tsx';
import './QuoteLinkPanel.css';

/** Chooses the site that a stock's name in the tables links to. */
export function QuoteLinkPanel() {
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
