import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { request } from '#web/api/client.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { RefusalBanner, useSending } from '#web/shared/useSending.tsx';
import { Button } from '#ui/Button.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

export function SupportControls() {
  const sending = useSending();
  const download = () =>
    sending.send(async () => {
      const blob = await asAdminAction(request('POST /api/admin/support', { isFile: true }));
      saveFile(blob, `bellbird-support-${new Date().toISOString().slice(0, 10)}.tar.gz`);
    }, ADMIN_MESSAGES.downloadSupport);
  return (
    <section className="stack gap-2" aria-labelledby="support-title">
      <h3 id="support-title">Support file</h3>
      <p className="muted">
        Attach this to a bug report. It contains the version, system details, which settings are set, a health
        check, a sanitised log and statistics, but no secrets and no user data. Review it before sending.
      </p>
      <div>
        <Button aria-disabled={sending.isBusy} onClick={() => void download()}>
          {sending.isBusy ? 'Preparing…' : 'Download support file'}
        </Button>
      </div>
      <RefusalBanner sending={sending} />
    </section>
  );
}
