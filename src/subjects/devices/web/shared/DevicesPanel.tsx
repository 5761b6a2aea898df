import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useReloads } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Field.tsx';
import { DevicesTable } from './DevicesTable.tsx';
import { chooseAdminMessages } from './deviceChanges.ts';
import { devicesError, forgetDevices, loadDevices, type OwnDevices, ownDevices } from './devices.ts';
import { allowHere, type BrowserAbility, browserAbility, thisDeviceId } from './thisBrowser.ts';

/** While a test is on its way, how often it is asked what became of it. */
const ASK_EVERY_MS = 1000;

/** Why this browser can't be a device, and what to do. */
const OBSTACLES: Readonly<Record<Exclude<BrowserAbility, 'able'>, string>> = {
  insecure:
    'Notifications need a secure address. Open Bellbird by its https:// address; whoever runs the server finds in its guide how to get one.',
  homeScreen:
    'On an iPhone or iPad, Bellbird must be on the home screen first: press Share, then Add to Home Screen, open it from there and come back to this page.',
  unsupported:
    'This browser can’t show notifications of pages that are closed. Chrome, Edge, Firefox and Safari 16.4 or later can.',
  denied:
    'This browser blocks notifications from Bellbird. Allow them in its settings for this site (the icon left of the address), then reload the page.',
};

/** What this browser can do; its person may answer it outside of the page. */
function useAbility(): [BrowserAbility, () => void] {
  const [ability, setAbility] = useState(browserAbility);
  const look = () => setAbility(browserAbility());
  useEffect(() => {
    const lookAgain = () => setAbility(browserAbility());
    window.addEventListener('focus', lookAgain);
    return () => window.removeEventListener('focus', lookAgain);
  }, []);
  return [ability, look];
}

/** Loads the devices, and again and again while a test is on its way. */
function useDevices(): void {
  const isTesting =
    ownDevices.value?.devices.some(({ test }) => test?.status === 'waiting' || test?.status === 'sending') ??
    false;
  useEffect(() => {
    void loadDevices();
    return forgetDevices;
  }, []);
  useReloads(isTesting, loadDevices, ASK_EVERY_MS);
}

type ThisBrowserProps = { own: OwnDevices; say(said: Said | null): void };
export type Said = { isGood: boolean; message: string };

/** Asks the browser, and tells what came of it. */
function useAllowing({ own, say }: ThisBrowserProps, lookAgain: () => void) {
  const [isBusy, setBusy] = useState(false);
  const allow = async () => {
    const { publicKey } = own;
    if (publicKey === null || isBusy) return;
    setBusy(true);
    say(null);
    const outcome = await allowHere(publicKey);
    lookAgain();
    if ('device' in outcome)
      say({ isGood: true, message: `Notifications are on. This browser is “${outcome.device.name}”.` });
    else if (outcome.failure !== '') say({ isGood: false, message: outcome.failure });
    await loadDevices();
    setBusy(false);
  };
  return { isBusy, allow };
}

/** Whether this browser is a device, and what makes it one. What takes the button's place takes its focus. */
function ThisBrowser(props: ThisBrowserProps): ReactNode {
  const { own } = props;
  const [ability, lookAgain] = useAbility();
  const { isBusy, allow } = useAllowing(props, lookAgain);
  const known = own.devices.find(({ id }) => id === thisDeviceId());
  const hadButton = useRef(false);
  const takeFocus = (text: HTMLElement | null) => {
    if (text === null || !hadButton.current) return;
    hadButton.current = false;
    if (document.activeElement === document.body) text.focus();
  };
  if (ability !== 'able') {
    return (
      <p className="marked tone-warn" tabIndex={-1} ref={takeFocus}>
        {OBSTACLES[ability]}
      </p>
    );
  }
  if (known?.status === 'registered') {
    return (
      <p tabIndex={-1} ref={takeFocus}>
        This browser is <strong>{known.name}</strong>. Logging out here removes it.
      </p>
    );
  }
  const press = () => {
    hadButton.current = true;
    void allow();
  };
  return (
    <div>
      <Button variant="primary" aria-disabled={isBusy || undefined} onClick={press}>
        {isBusy ? 'Asking the browser…' : 'Allow notifications on this device'}
      </Button>
    </div>
  );
}

/** The devices, or why there is nothing to be seen of them. */
function Loaded({
  table,
  panel,
  say,
}: {
  table: RefObject<HTMLTableElement | null>;
  panel: RefObject<HTMLElement | null>;
  say(said: Said | null): void;
}): ReactNode {
  const own = ownDevices.value;
  const error = devicesError.value;
  if (own === null && error !== null) {
    return <Banner action={<Button onClick={() => void loadDevices()}>Retry</Button>}>{error}</Banner>;
  }
  if (own === null) return <SkeletonRows rows={2} label="Loading devices…" />;
  return (
    <>
      <ThisBrowser own={own} say={say} />
      {own.devices.length > 0 && <DevicesTable devices={own.devices} table={table} panel={panel} say={say} />}
      <Toggle
        label="Messages from the administrator"
        checked={own.adminMessages}
        onChange={(wanted) =>
          void chooseAdminMessages(own, wanted).then(
            (failure) => failure !== null && say({ isGood: false, message: failure }),
          )
        }
      />
    </>
  );
}

/** The browsers that show the user's messages as notifications: this one, the others, and what each can do. */
export function DevicesPanel(): ReactNode {
  const [said, say] = useState<Said | null>(null);
  const panel = useRef<HTMLElement>(null);
  const table = useRef<HTMLTableElement>(null);
  useDevices();
  return (
    <section className="panel" aria-labelledby="devices-panel" ref={panel}>
      <div className="row">
        <h2 id="devices-panel">Notifications on this device</h2>
        {(ownDevices.value?.devices.length ?? 0) > 0 && <TakeDrawnButton label="Devices" table={table} />}
      </div>
      <p className="muted">
        Alerts and reminders on your phone or computer, also while Bellbird is closed, and without another
        app.
      </p>
      <Loaded table={table} panel={panel} say={say} />
      {said && (
        <Banner variant={said.isGood ? 'info' : 'error'} onDismiss={() => say(null)}>
          {said.message}
        </Banner>
      )}
    </section>
  );
}
