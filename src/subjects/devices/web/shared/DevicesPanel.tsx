import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';
import { type ReactNode, type RefObject, useEffect, useRef, useState, type FormEvent } from 'react';
import { useReloads } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Field.tsx';
import {
  devicesError,
  forgetDevices,
  loadDevices,
  type OwnDevices,
  ownDevices,
  allowHere,
  type BrowserAbility,
  browserAbility,
  OBSTACLES,
  thisDeviceId,
  type Device,
  setDevices,
  forgetHere,
} from './devices.ts';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { deviceAnswer } from '../../answers/devices.ts';
import { serverNow } from '#web/live/market.ts';
import { flushSync } from 'react-dom';
import { formatAge, formatMoment } from '#texts/moment.ts';
import { Pill } from '#ui/Pill.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { MAX_DEVICE_NAME } from '../../rules/device.ts';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { LateConfirm } from '#web/shared/lateStyles.ts';

/** @returns why the change failed; null on success */
async function whyNot(change: () => Promise<void>, fallback: string): Promise<string | null> {
  try {
    await change();
    return null;
  } catch (problem) {
    return messageOf(problem, fallback);
  }
}

function replace(device: Device | null): void {
  const own = ownDevices.peek();
  if (own === null || device === null) return;
  setDevices({ ...own, devices: own.devices.map((one) => (one.id === device.id ? device : one)) });
}

/** @returns why no test was sent; null if it was */
const testDevice = ({ id }: Device): Promise<string | null> =>
  whyNot(async () => {
    const { device } = await request('POST /api/devices/:id/test', {
      params: { id },
      read: readerOf(deviceAnswer),
    });
    replace(device);
  }, 'The test could not be sent. Try again.');

const renameDevice = ({ id }: Device, name: string): Promise<string | null> =>
  whyNot(async () => {
    const { device } = await request('PUT /api/devices/:id/name', {
      params: { id },
      body: { name },
      read: readerOf(deviceAnswer),
    });
    replace(device);
  }, 'The device could not be renamed. Try again.');

const removeDevice = ({ id }: Device): Promise<string | null> =>
  whyNot(async () => {
    await request('DELETE /api/devices/:id', { params: { id } });
    const own = ownDevices.peek();
    if (own) setDevices({ ...own, devices: own.devices.filter((one) => one.id !== id) });
    if (id === thisDeviceId()) await forgetHere();
  }, 'The device could not be removed. Try again.');

/** Saves the choice; shows it at once and reverts it if the server refuses. Returns the reason, null on success. */
function chooseAdminMessages(own: OwnDevices, wanted: boolean): Promise<string | null> {
  setDevices({ ...own, adminMessages: wanted });
  return whyNot(async () => {
    try {
      await request('PUT /api/devices/broadcasts', { body: { wanted } });
    } catch (problem) {
      const now = ownDevices.peek();
      if (now) setDevices({ ...now, adminMessages: !wanted });
      throw problem;
    }
  }, 'That could not be saved. Try again.');
}

type Removing = {
  panel: RefObject<HTMLElement | null>;
  report(feedback: Feedback | null): void;
  /** The element that contains the rows. */
  body: RefObject<HTMLTableSectionElement | null>;
};

function useDeviceRemoval({ panel, report, body }: Removing) {
  const [asked, setAsked] = useState<Device | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async (device: Device) => {
    const index = (ownDevices.peek()?.devices ?? []).findIndex(({ id }) => id === device.id);
    setBusy(true);
    const failure = await removeDevice(device);
    setBusy(false);
    setAsked(null);
    report({ isGood: failure === null, message: failure ?? `“${device.name}” was removed.` });
    if (failure !== null) return;
    // Runs after the dialog has returned the focus, and after React has removed the row.
    setTimeout(() => {
      const buttons = body.current?.querySelectorAll<HTMLElement>('.device-actions button:last-child') ?? [];
      focusNeighbour(buttons, index, panel.current?.querySelector('button'));
    }, 0);
  };
  const dialog = asked && (
    <LateConfirm
      open
      title={`Remove “${asked.name}”?`}
      action="Remove"
      isBusy={isBusy}
      onConfirm={() => void remove(asked)}
      onCancel={() => setAsked(null)}
    >
      <p>It will get no more notifications. To add it again, allow notifications on it.</p>
    </LateConfirm>
  );
  return { ask: setAsked, dialog };
}

/** Result of a test; null if none was sent, or the status already says it. */
function testText({ test, failure }: Pick<Device, 'test' | 'failure'>): string | null {
  switch (test?.status) {
    case undefined:
      return null;
    case 'waiting':
    case 'sending':
      return 'Sending test…';
    case 'sent':
      return 'The push service accepted the test. If you don’t see it, check your system’s settings for this browser.';
    case 'failed':
      return test?.reason === failure ? null : `Test failed: ${test?.reason ?? 'it was not delivered.'}`;
  }
}

function stateText({ status, failure }: Device): string {
  const state =
    status === 'gone'
      ? 'Ended'
      : status === 'refused'
        ? 'Not delivered'
        : failure === null
          ? 'On'
          : 'Last one failed';
  return failure === null ? state : `${state}: ${failure}`;
}

function DeviceState({ device }: { device: Device }): ReactNode {
  const { status, failure } = device;
  const test = testText(device);
  const isSound = status === 'registered';
  return (
    <>
      {status === 'gone' && <Pill variant="down">Ended</Pill>}
      {status === 'refused' && <Pill variant="down">Not delivered</Pill>}
      {isSound && (
        <Pill variant={failure === null ? 'up' : 'warn'}>{failure === null ? 'On' : 'Last one failed'}</Pill>
      )}
      {failure !== null && <p className="cell-note">{failure}</p>}
      <p className="cell-note" role="status">
        {test}
      </p>
    </>
  );
}

type RenameProps = { device: Device; report(feedback: Feedback | null): void; onDone(): void };

/** The form that renames a device. The text stays if the server refuses the name. */
function Rename({ device, report, onDone }: RenameProps): ReactNode {
  const [name, setName] = useState(device.name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isSame = name.trim() === device.name || name.trim() === '';
    const failure = isSame ? null : await renameDevice(device, name);
    report(failure === null ? null : { isGood: false, message: failure });
    if (failure === null) onDone();
  };
  return (
    <form className="cluster" onSubmit={(event) => void submit(event)}>
      <input
        className="input grow min-w-0"
        aria-label="Name of the device"
        value={name}
        maxLength={MAX_DEVICE_NAME}
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onDone()}
      />
      <Button type="submit">Save</Button>
    </form>
  );
}

type RowProps = {
  device: Device;
  report(feedback: Feedback | null): void;
  onRemove(device: Device): void;
};

function DeliveredCell({ at }: { at: string | null }): ReactNode {
  return (
    <td
      data-heading="Last delivered"
      data-time={at ?? undefined}
      title={at === null ? undefined : formatMoment(at)}
    >
      {at === null ? <span className="muted">never</span> : formatAge(serverNow() - Date.parse(at))}
    </td>
  );
}

function DeviceRow({ device, report, onRemove }: RowProps): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const { id, name, delivered_at: deliveredAt } = device;
  const renamed = () => {
    flushSync(() => setRenaming(false));
    renameButton.current?.focus();
  };
  return (
    <tr>
      <th scope="row" data-taken={name}>
        {isRenaming ? (
          <Rename device={device} report={report} onDone={renamed} />
        ) : (
          <span className="break-words">{name}</span>
        )}
        {id === thisDeviceId() && <p className="cell-note">This browser</p>}
      </th>
      <DeliveredCell at={deliveredAt} />
      <td data-heading="State" data-taken={stateText(device)}>
        <DeviceState device={device} />
      </td>
      <td className="device-actions row-actions">
        <DeviceActions
          device={device}
          report={report}
          onRemove={onRemove}
          isRenaming={isRenaming}
          renameButton={renameButton}
          onRename={() => setRenaming(!isRenaming)}
        />
      </td>
    </tr>
  );
}

type ActionsProps = RowProps & {
  isRenaming: boolean;
  renameButton: RefObject<HTMLButtonElement | null>;
  /** Starts renaming, or cancels it. */
  onRename(): void;
};

function DeviceActions({ device, report, onRemove, ...renaming }: ActionsProps): ReactNode {
  const { isRenaming, renameButton, onRename } = renaming;
  const [isBusy, setBusy] = useState(false);
  const { name } = device;
  const test = async () => {
    setBusy(true);
    const failure = await testDevice(device);
    if (failure) report({ isGood: false, message: failure });
    setBusy(false);
  };
  return (
    <>
      {device.status !== 'gone' && (
        <Button
          aria-label={`Test ${name}`}
          aria-disabled={isBusy || undefined}
          onClick={() => void (isBusy || test())}
        >
          Test
        </Button>
      )}
      <Button
        ref={renameButton}
        aria-label={isRenaming ? `Cancel renaming ${name}` : `Rename ${name}`}
        onClick={onRename}
      >
        {isRenaming ? 'Cancel' : 'Rename'}
      </Button>
      <Button aria-label={`Remove ${name}`} onClick={() => onRemove(device)}>
        Remove
      </Button>
    </>
  );
}

type DevicesTableProps = {
  devices: readonly Device[];
  table: RefObject<HTMLTableElement | null>;
  panel: RefObject<HTMLElement | null>;
  report(feedback: Feedback | null): void;
};

function DevicesTable({ devices, table, panel, report }: DevicesTableProps): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const removal = useDeviceRemoval({ panel, report, body });
  return (
    <>
      <StackedTable ref={table} className="devices" label="Devices">
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Last delivered</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} report={report} onRemove={removal.ask} />
          ))}
        </tbody>
      </StackedTable>
      {removal.dialog}
    </>
  );
}

/** Poll interval while a test is pending, ms. */
const ASK_EVERY_MS = 1000;

/** What this browser supports; checked again on focus, because the permission may change outside the page. */
function useAbility(): [BrowserAbility, () => void] {
  const [ability, setAbility] = useState(browserAbility);
  const check = () => setAbility(browserAbility());
  useEffect(() => {
    const checkAgain = () => setAbility(browserAbility());
    window.addEventListener('focus', checkAgain);
    return () => window.removeEventListener('focus', checkAgain);
  }, []);
  return [ability, check];
}

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

type ThisBrowserProps = { own: OwnDevices; report(feedback: Feedback | null): void };
type Feedback = { isGood: boolean; message: string };

function useAllowing({ own, report }: ThisBrowserProps, checkAgain: () => void) {
  const [isBusy, setBusy] = useState(false);
  const allow = async () => {
    const { publicKey } = own;
    if (publicKey === null || isBusy) return;
    setBusy(true);
    report(null);
    const outcome = await allowHere(publicKey);
    checkAgain();
    if ('device' in outcome)
      report({
        isGood: true,
        message: `Notifications are on. This browser is “${outcome.device.name}”.`,
      });
    else if (outcome.failure !== '') report({ isGood: false, message: outcome.failure });
    await loadDevices();
    setBusy(false);
  };
  return { isBusy, allow };
}

/** The section on this browser. A text that replaces the focused button gets its focus. */
function ThisBrowser(props: ThisBrowserProps): ReactNode {
  const { own } = props;
  const [ability, checkAgain] = useAbility();
  const { isBusy, allow } = useAllowing(props, checkAgain);
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
        {isBusy ? 'Waiting for the browser…' : 'Allow notifications on this device'}
      </Button>
    </div>
  );
}

function Loaded({
  table,
  panel,
  report,
}: {
  table: RefObject<HTMLTableElement | null>;
  panel: RefObject<HTMLElement | null>;
  report(feedback: Feedback | null): void;
}): ReactNode {
  const own = ownDevices.value;
  const error = devicesError.value;
  if (own === null && error !== null) {
    return <Banner action={<Button onClick={() => void loadDevices()}>Retry</Button>}>{error}</Banner>;
  }
  if (own === null) return <SkeletonRows rows={2} label="Loading devices…" />;
  return (
    <>
      <ThisBrowser own={own} report={report} />
      {own.devices.length > 0 && (
        <DevicesTable devices={own.devices} table={table} panel={panel} report={report} />
      )}
      <Toggle
        label="Messages from the administrator"
        checked={own.adminMessages}
        onChange={(wanted) =>
          void chooseAdminMessages(own, wanted).then(
            (failure) => failure !== null && report({ isGood: false, message: failure }),
          )
        }
      />
    </>
  );
}

export function DevicesPanel(): ReactNode {
  const [feedback, report] = useState<Feedback | null>(null);
  const panel = useRef<HTMLElement>(null);
  const table = useRef<HTMLTableElement>(null);
  useDevices();
  return (
    <section className="panel" aria-labelledby="devices-panel" ref={panel}>
      <div className="row">
        <h2 id="devices-panel">Notifications on this device</h2>
        {(ownDevices.value?.devices.length ?? 0) > 0 && <ExportDrawnButton label="Devices" table={table} />}
      </div>
      <p className="muted">Alerts and reminders on your phone or computer, even when Bellbird is closed.</p>
      <Loaded table={table} panel={panel} report={report} />
      {feedback && (
        <Banner variant={feedback.isGood ? 'info' : 'error'} onDismiss={() => report(null)}>
          {feedback.message}
        </Banner>
      )}
    </section>
  );
}
