import './AccountPanel.css';
import { lazy, Suspense, useState } from 'react';
import { settings, settingsError } from '#web/shared/settings.ts';
import { UserBadge } from '../UserBadge.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { downloadData } from './requests.ts';
import { SessionList } from './SessionList.tsx';
import { SecondFactorPanel } from '../secondFactor/SecondFactorPanel.tsx';

const DeleteAccountDialog = lazy(() =>
  import('./DeleteAccountDialog.tsx').then((code) => ({ default: code.DeleteAccountDialog })),
);

/** Who is signed in and where, the password, and what is kept of the person. */
export function AccountPanel() {
  const [isChanging, setChanging] = useState(false);
  const [passwordChanges, setPasswordChanges] = useState(0);
  /** How often the other login sessions ended by it. */
  const [turnedOn, setTurnedOn] = useState(0);
  return (
    <section className="panel account-panel" aria-labelledby="account-panel">
      <h2 id="account-panel">Account</h2>
      {settings.value ? (
        <UserBadge />
      ) : (
        !settingsError.value && <SkeletonRows rows={1} label="Loading account…" />
      )}
      <Disclosure label="Change password" onToggle={setChanging}>
        {isChanging && <PasswordForm onChanged={() => setPasswordChanges((count) => count + 1)} />}
      </Disclosure>
      {passwordChanges > 0 && (
        <Banner variant="info" onDismiss={() => setPasswordChanges(0)}>
          Password changed. You are logged out everywhere else.
        </Banner>
      )}
      <SecondFactorPanel onTurnedOn={() => setTurnedOn((count) => count + 1)} />
      <h3>Where you are logged in</h3>
      <SessionList changes={passwordChanges + turnedOn} />
      <h3>Your data</h3>
      <DataActions />
    </section>
  );
}

function DataActions() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const download = async () => {
    setBusy(true);
    setFailure(await downloadData());
    setBusy(false);
  };
  return (
    <>
      <div className="account-actions">
        <Button disabled={isBusy} onClick={() => void download()}>
          {isBusy ? 'Downloading…' : 'Download my data'}
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete my account
        </Button>
      </div>
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
      {isDeleting && (
        <Suspense fallback={null}>
          <DeleteAccountDialog onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </>
  );
}
