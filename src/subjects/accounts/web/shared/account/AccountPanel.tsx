import '../accountsLate.css';
import { useState, useRef, type ChangeEvent, type FormEvent, useEffect } from 'react';
import { settings, settingsError } from '#web/shared/settings.ts';
import { UserBadge } from '../UserBadge.tsx';
import { Banner, FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { logOut } from '../session/session.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import {
  downloadData,
  type LoginSession,
  endOneSession,
  endOtherSessions,
  fetchSessions,
  changePassword,
  useCode,
  isShownFirst,
  fetchStatus,
  type Status,
} from './accountRequests.ts';
import { serverNow } from '#web/live/market.ts';
import type { Refusal } from '#lib/result.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { Pill } from '#ui/Pill.tsx';
import { formatShortDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { checkPasswordChange } from '#subjects/accounts/rules/accountRules.ts';
import { TextField } from '#ui/Field.tsx';
import { late } from '#web/shared/lateStyles.ts';
import { CodeField } from './codeFields.tsx';

const SetUpDialog = late(() => import('./SetUpDialog.tsx').then((code) => code.SetUpDialog));
const TurnOffDialog = late(() => import('./ProofDialog.tsx').then((code) => code.TurnOffDialog));
const NewCodesDialog = late(() => import('./ProofDialog.tsx').then((code) => code.NewCodesDialog));

type Open = 'setUp' | 'off' | 'codes' | null;

const FEW_CODES = 3;

const TITLE_ID = 'second-factor-title';

function showFirst(): void {
  const title = document.getElementById(TITLE_ID);
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}

/** @param onTurnedOn called when the other sessions have ended */
export function SecondFactorPanel({ onTurnedOn }: { onTurnedOn(): void }) {
  const { data, error, reload } = useLoaded(fetchStatus, 'Your two-factor settings could not be loaded.');
  const [open, setOpen] = useState<Open>(null);
  const isLoaded = data !== null;
  useEffect(() => {
    if (isLoaded && isShownFirst()) showFirst();
  }, [isLoaded]);
  const close = () => setOpen(null);
  const changed = () => void reload();
  const status = data === 'missing' ? null : data;
  const demanded = status?.demanded ?? false;
  const dialog = { demanded, onClose: close, onDone: changed };
  return (
    <>
      <h3 id={TITLE_ID} className="second-factor-title" tabIndex={-1}>
        Two-factor login
      </h3>
      {error !== null && <Banner action={<Button onClick={changed}>Retry</Button>}>{error}</Banner>}
      {data === null && error === null && <SkeletonRows rows={1} label="Loading two-factor login…" />}
      {data === 'missing' && <p className="muted">This server has no two-factor login.</p>}
      {status !== null && <State status={status} onOpen={setOpen} />}
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
    </>
  );
}

const leftText = (left: number): string =>
  `${left} recovery ${left === 1 ? 'code is' : 'codes are'} left${left < FEW_CODES ? ': make new ones' : ''}.`;

function State({ status, onOpen }: { status: Status; onOpen(open: Open): void }) {
  const { on, demanded, recoveryCodesLeft } = status;
  if (!on) {
    return (
      <>
        {demanded && (
          <Banner variant="warn">
            This server requires two-factor login for administrators. Turn it on to open the Admin Panel.
          </Banner>
        )}
        <p className="muted">Off. You log in with only your password.</p>
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

const EMPTY = { currentPassword: '', newPassword: '', confirm: '' };
type Input = typeof EMPTY;

const LABELS: readonly { name: keyof Input; label: string; autoComplete: string; help?: string }[] = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  {
    name: 'newPassword',
    label: 'New password',
    autoComplete: 'new-password',
    help: 'At least 6 characters.',
  },
  { name: 'confirm', label: 'Confirm new password', autoComplete: 'new-password' },
];

function usePasswordChange(onChanged: () => void) {
  const [input, setInput] = useState(EMPTY);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const asked = useCode(refusal);

  const refuse = (next: Refusal) => {
    setRefusal(next);
    form.current
      ?.querySelector<HTMLInputElement>(`input[name="${next.field ?? 'currentPassword'}"]`)
      ?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkPasswordChange(input);
    if (!checked.ok) return refuse(checked.error);
    setBusy(true);
    const refused = await changePassword({ ...checked.value, code: asked.code });
    setBusy(false);
    if (refused !== null) return refuse(refused);
    setInput(EMPTY);
    asked.setTyped('');
    setRefusal(null);
    onChanged();
  };
  return { input, setInput, asked, refusal, isBusy, form, submit };
}

/** @param onChanged called when the other sessions have ended */
function PasswordForm({ onChanged }: { onChanged(): void }) {
  const { input, setInput, asked, refusal, isBusy, form, submit } = usePasswordChange(onChanged);
  const isOfForm =
    refusal !== null && refusal.field !== 'code' && !LABELS.some(({ name }) => name === refusal.field);
  return (
    <form ref={form} className="narrow stack" noValidate onSubmit={(event) => void submit(event)}>
      {/* Password managers save the new password under this name. */}
      <input
        type="text"
        hidden
        readOnly
        autoComplete="username"
        aria-label="Username"
        value={settings.value?.username ?? ''}
      />
      {LABELS.map(({ name, label, autoComplete, help }) => (
        <TextField
          key={name}
          name={name}
          label={label}
          type="password"
          autoComplete={autoComplete}
          help={help}
          value={input[name]}
          error={refusal?.field === name ? refusal.message : null}
          onChange={({ target }: ChangeEvent<HTMLInputElement>) =>
            setInput({ ...input, [name]: target.value })
          }
        />
      ))}
      {asked.isAsked && (
        <CodeField
          value={asked.typed}
          error={asked.error}
          help="From your app, or a recovery code."
          onType={asked.setTyped}
        />
      )}
      <FormError>{isOfForm && refusal.message}</FormError>
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'Changing…' : 'Change password'}
      </Button>
    </form>
  );
}

const moment = (time: string, now: number): string =>
  `${formatShortDate(sydneyDate(Date.parse(time)), sydneyDate(now))}, ${formatTime(time)}`;

/** 'Logged in 18 Nov, 11:00' and 'last seen 19 Nov, 09:30', Sydney time. @param now epoch ms */
const sessionTimes = ({ createdAt, lastSeenAt }: LoginSession, now: number): string[] => [
  ...(createdAt === null ? [] : [`Logged in ${moment(createdAt, now)}`]),
  ...(lastSeenAt === null ? [] : [`last seen ${moment(lastSeenAt, now)}`]),
];

/** @param changes increases when sessions ended elsewhere */
function useSessions(changes: number) {
  const {
    data: sessions,
    error,
    reload: load,
  } = useLoaded(fetchSessions, 'Your login sessions could not be loaded.', { again: changes });
  const [refusal, refuse] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const attempt = async (work: Promise<Refusal | null>, index: number) => {
    setBusy(true);
    const refused = await work;
    await load();
    setBusy(false);
    refuse(refused?.message ?? null);
    // Runs after React has removed the row.
    setTimeout(() => focusNeighbour(list.current?.querySelectorAll('button') ?? [], index, list.current), 0);
  };
  const retry = () => {
    refuse(null);
    void load();
  };
  return { sessions, failure: refusal ?? error, isBusy, list, attempt, retry };
}

/** @param changes increases when sessions ended elsewhere */
function SessionList({ changes }: { changes: number }) {
  const { sessions, failure, isBusy, list, attempt, retry } = useSessions(changes);
  const others = sessions?.filter(({ current }) => !current) ?? [];
  return (
    <>
      {failure !== null && <Banner action={<Button onClick={retry}>Retry</Button>}>{failure}</Banner>}
      {sessions === null && failure === null && <SkeletonRows rows={2} label="Loading login sessions…" />}
      {sessions !== null && (
        <ul ref={list} className="lines full-width" aria-label="Login sessions" tabIndex={-1}>
          {sessions.map((one) => (
            <SessionLine
              key={one.id}
              session={one}
              isBusy={isBusy}
              onEnd={() => void attempt(endOneSession(one.id), others.indexOf(one))}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Button disabled={isBusy} onClick={() => void attempt(endOtherSessions(), 0)}>
          End all others
        </Button>
      )}
    </>
  );
}

function SessionLine({ session, isBusy, onEnd }: { session: LoginSession; isBusy: boolean; onEnd(): void }) {
  const name = session.device ?? 'Unknown device';
  return (
    <li className="cluster gap-3">
      <span className="row gap-0-3 grow">
        <span className="strong">{name}</span>
        {session.current && <Pill variant="accent">This one</Pill>}
        {sessionTimes(session, serverNow()).map((words) => (
          <span key={words} className="muted">
            {words}
          </span>
        ))}
      </span>
      {!session.current && (
        <Button disabled={isBusy} aria-label={`End ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}

const DeleteAccountDialog = late(() =>
  import('./DeleteAccountDialog.tsx').then((code) => code.DeleteAccountDialog),
);

export function AccountPanel() {
  // On wider screens the button is always in the header.
  const isPhone = useWidthQuery('phone');
  const [isChanging, setChanging] = useState(false);
  const [passwordChanges, setPasswordChanges] = useState(0);
  /** Increases with each activation, which ends the other sessions. */
  const [turnedOn, setTurnedOn] = useState(0);
  return (
    <section className="panel" aria-labelledby="account-panel">
      <h2 id="account-panel">Account</h2>
      {settings.value ? (
        <div className="row gap-4">
          <UserBadge />
          {isPhone && <Button onClick={() => void logOut()}>Logout</Button>}
        </div>
      ) : (
        !settingsError.value && <SkeletonRows rows={1} label="Loading account…" />
      )}
      <Disclosure label="Change password" onToggle={setChanging}>
        {isChanging && <PasswordForm onChanged={() => setPasswordChanges((count) => count + 1)} />}
      </Disclosure>
      {passwordChanges > 0 && (
        <Banner variant="info" onDismiss={() => setPasswordChanges(0)}>
          Password changed. Your other devices are logged out.
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
      <div className="row">
        <Button disabled={isBusy} onClick={() => void download()}>
          {isBusy ? 'Downloading…' : 'Download my data'}
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete my account
        </Button>
      </div>
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
      {isDeleting && <DeleteAccountDialog onClose={() => setDeleting(false)} />}
    </>
  );
}
