import { lazy, Suspense, useEffect, useState } from 'react';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { isShownFirst } from './place.ts';
import { fetchStanding, type Standing } from './requests.ts';

const SetUpDialog = lazy(async () => ({ default: (await import('./SetUpDialog.tsx')).SetUpDialog }));
const TurnOffDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).TurnOffDialog }));
const NewCodesDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).NewCodesDialog }));

type Open = 'setUp' | 'off' | 'codes' | null;

const FEW_CODES = 3;

const TITLE_ID = 'second-factor-title';

function showFirst(): void {
  const title = document.getElementById(TITLE_ID);
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}

/** Whether the login asks for a second factor, and the ways to change that. @param onTurnedOn the other sessions ended */
export function SecondFactorPanel({ onTurnedOn }: { onTurnedOn(): void }) {
  const { data, error, reload } = useLoaded(
    fetchStanding,
    'How your two-factor login stands could not be loaded.',
  );
  const [open, setOpen] = useState<Open>(null);
  const isLoaded = data !== null;
  useEffect(() => {
    if (isLoaded && isShownFirst()) showFirst();
  }, [isLoaded]);
  const close = () => setOpen(null);
  const changed = () => void reload();
  const standing = data === 'missing' ? null : data;
  const demanded = standing?.demanded ?? false;
  const dialog = { demanded, onClose: close, onDone: changed };
  return (
    <>
      <h3 id={TITLE_ID} className="second-factor-title" tabIndex={-1}>
        Two-factor login
      </h3>
      {error !== null && <Banner action={<Button onClick={changed}>Retry</Button>}>{error}</Banner>}
      {data === null && error === null && <SkeletonRows rows={1} label="Loading two-factor login…" />}
      {data === 'missing' && <p className="muted">This server has no two-factor login.</p>}
      {standing !== null && <State standing={standing} onOpen={setOpen} />}
      <Suspense fallback={null}>
        {open === 'setUp' && (
          <SetUpDialog
            onClose={close}
            onTurnedOn={() => {
              changed();
              onTurnedOn();
            }}
          />
        )}
        {open === 'off' && <TurnOffDialog {...dialog} />}
        {open === 'codes' && <NewCodesDialog {...dialog} />}
      </Suspense>
    </>
  );
}

const leftText = (left: number): string =>
  `${left} recovery ${left === 1 ? 'code is' : 'codes are'} left${left < FEW_CODES ? ': make new ones' : ''}.`;

function State({ standing, onOpen }: { standing: Standing; onOpen(open: Open): void }) {
  const { on, demanded, recoveryCodesLeft } = standing;
  if (!on) {
    return (
      <>
        {demanded && (
          <Banner variant="warn">
            This server demands two-factor login of administrators: the Admin Panel opens once it is on.
          </Banner>
        )}
        <p className="muted">Off. A login asks for your password alone.</p>
        <div className="row">
          <Button onClick={() => onOpen('setUp')}>Turn on two-factor login</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>On. {leftText(recoveryCodesLeft)}</p>
      <div className="row">
        <Button onClick={() => onOpen('codes')}>New recovery codes</Button>
        <Button onClick={() => onOpen('off')}>Turn off two-factor login</Button>
      </div>
    </>
  );
}
