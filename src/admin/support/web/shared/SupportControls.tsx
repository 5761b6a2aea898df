import { useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { messageOf, request } from '#web/api/client.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

export function SupportControls() {
  const [isMaking, setMaking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const download = async () => {
    if (isMaking) return;
    setMaking(true);
    setRefusal(null);
    try {
      const blob = await asAdminAction('other', request('POST /api/admin/support', { isFile: true }));
      saveFile(blob, `bellbird-support-${new Date().toISOString().slice(0, 10)}.tar.gz`);
    } catch (problem) {
      setRefusal(messageOf(problem, ADMIN_MESSAGES.downloadSupport));
    }
    setMaking(false);
  };
  return (
    <section className="stack gap-2" aria-labelledby="support-title">
      <h3 id="support-title">Support file</h3>
      <p className="muted">
        Attach this to a bug report. It contains the version, system details, which settings are set, a health
        check, a sanitised log and statistics, but no secrets and no user data. Review it before sending.
      </p>
      <div>
        <Button aria-disabled={isMaking} onClick={() => void download()}>
          {isMaking ? 'Preparing…' : 'Download support file'}
        </Button>
      </div>
      {refusal !== null && <Banner onDismiss={() => setRefusal(null)}>{refusal}</Banner>}
    </section>
  );
}
