import { type FormEvent, useRef, useState } from 'react';
import { humanSize } from '#lib/text.ts';
import { LOGIN_PATH, REGISTER_PATH } from '#web/router/routes.ts';
import { routeQuery } from '#web/router/navigate.ts';
import { BellbirdMark } from '#web/shared/BellbirdMark.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/FormError.tsx';
import { TextField } from '#ui/TextField.tsx';
import { FactList } from '#admin/web/parts/FactList.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { ServerReturnLine } from '#admin/web/parts/ServerReturnLine.tsx';
import { whenText } from '#admin/web/parts/whenText.ts';
import type { FirstRestoreView, TargetBackupsView } from '../answers/firstRestore.ts';
import { type RestoreInput, type Restoring, useRestore } from './useRestore.ts';

/** Restores a backup on a new server without an administrator. Needs the set-up link. */
export function RestorePage() {
  const token = routeQuery.value.get('setup') ?? '';
  const restoring = useRestore(token);
  const { loaded, server } = restoring;
  return (
    <section className="first-restore lone-form" aria-labelledby="first-restore-title">
      <BellbirdMark size={44} />
      <h1 id="first-restore-title">Restore a backup</h1>
      {server.standing === 'back' ? (
        <p role="status">The backup is restored. Log in with an account of it.</p>
      ) : (
        <LoadedBody loaded={loaded} label="Asking the server…">
          {(view) => <Step view={view} restoring={restoring} />}
        </LoadedBody>
      )}
      <p>
        {server.standing === 'back' ? (
          <a className="touch" href={`#${LOGIN_PATH}`}>
            Log in
          </a>
        ) : (
          loaded.data?.state !== 'chosen' && (
            <a className="touch" href={`#${REGISTER_PATH}?setup=${encodeURIComponent(token)}`}>
              Begin without a backup
            </a>
          )
        )}
      </p>
    </section>
  );
}

type StepProps = { view: FirstRestoreView; restoring: Restoring };

function Step({ view, restoring }: StepProps) {
  const { sending, server } = restoring;
  if (view.state === 'chosen') {
    return (
      <>
        <ServerReturnLine server={server} />
        {view.noRestart !== null && <Banner variant="info">{view.noRestart}</Banner>}
      </>
    );
  }
  if (sending !== null) return <Progress words="Sending the backup…" share={sending} />;
  if (view.state === 'checking') return <Progress words="Checking the backup…" share={view.progress} />;
  return view.state === 'ready' && !restoring.isChoosing ? (
    <Ready view={view} restoring={restoring} />
  ) : (
    <Choose view={view} restoring={restoring} />
  );
}

function Progress({ words, share }: { words: string; share: number }) {
  return (
    <div role="status">
      <p>{words}</p>
      <progress value={share} max={1} aria-label={words}>
        {Math.round(share * 100)} %
      </progress>
    </div>
  );
}

/** The accounts that registered here before the restore; the backup replaces them. */
function AccountsHere({ view: { accountsHere, namesHere } }: { view: FirstRestoreView }) {
  if (accountsHere === 0) return null;
  const more = accountsHere - namesHere.length;
  return (
    <Banner variant="warn">
      {accountsHere === 1 ? 'An account was registered' : `${accountsHere} accounts were registered`} on this
      server and {accountsHere === 1 ? 'is' : 'are'} removed by the restore: {namesHere.join(', ')}
      {more > 0 && ` and ${more} more`}. The old database is kept in the data folder.
    </Banner>
  );
}

/** What the backup holds, and the press that makes it the server's data. */
function Ready({ view, restoring }: StepProps) {
  const { isBusy, refusal, apply, setChoosing } = restoring;
  const { preview } = view;
  return (
    <div>
      {preview && (
        <FactList
          facts={[
            ['Made', preview.madeAt === null ? 'Unknown' : `${whenText(preview.madeAt)} Sydney`],
            ['By version', preview.version ?? 'An earlier one'],
            ['Accounts', String(preview.accounts)],
          ]}
        />
      )}
      <p>
        The backup was read whole and is sound.
        {preview !== null &&
          preview.pending > 0 &&
          ' It is from an older version and is brought to this one.'}{' '}
        Everybody has to log in again.
      </p>
      <AccountsHere view={view} />
      <FormError>{refusal}</FormError>
      <Button variant="primary" disabled={isBusy} onClick={() => void apply()}>
        {isBusy ? 'Restoring…' : 'Restore and restart'}
      </Button>
      <Button disabled={isBusy} onClick={() => setChoosing(true)}>
        Choose another backup
      </Button>
    </div>
  );
}

/** A button, because the browser's own box for files says its words in the browser's language. */
function FileChoice({ file, onChoose }: { file: File | null; onChoose(file: File): void }) {
  const box = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => box.current?.click()}>
        {file === null ? 'Choose a backup file…' : 'Choose another file…'}
      </Button>
      {file && <p className="break-words">{`${file.name}, ${humanSize(file.size)}`}</p>}
      <input
        ref={box}
        type="file"
        hidden
        aria-label="Backup file"
        accept=".db,.age"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) onChoose(chosen);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

type SecretBoxProps = { isInSettings: boolean; secret: string; onSecret(secret: string): void };

const SecretBox = ({ isInSettings, secret, onSecret }: SecretBoxProps) => (
  <TextField
    label="Passphrase or key"
    type="password"
    autoComplete="off"
    help={
      isInSettings
        ? 'Leave it empty to take the one of the settings.'
        : 'Only for an encrypted backup (.age).'
    }
    value={secret}
    onChange={({ target }) => onSecret(target.value)}
  />
);

/** A file of this machine, or one of the backup target, with what opens it. */
function Choose({ view: { target, failure }, restoring }: StepProps) {
  const { isBusy, refusal, check, calls, input, setInput } = restoring;
  const { file, name, secret } = input;
  const [isMissing, setMissing] = useState(false);
  const change = (changed: Partial<RestoreInput>): void => {
    setMissing(false);
    setInput({ ...input, ...changed });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isNothing = file === null && name === '';
    setMissing(isNothing);
    if (!isNothing) void check(name || null, file, secret);
  };
  const takeName = (chosen: string) => change({ name: chosen, file: null });
  return (
    <form noValidate onSubmit={submit}>
      <p className="muted">Nothing changes before you have seen what the backup holds.</p>
      <FileChoice file={file} onChoose={(chosen) => change({ file: chosen, name: '' })} />
      {target && <TargetChoice where={target.where} calls={calls} name={name} onName={takeName} />}
      <SecretBox
        isInSettings={name !== '' && target?.hasPassphrase === true}
        secret={secret}
        onSecret={(typed) => change({ secret: typed })}
      />
      <FormError>{isMissing ? 'Choose a backup first.' : (refusal ?? failure)}</FormError>
      <Button variant="primary" type="submit" disabled={isBusy}>
        {isBusy ? 'Sending…' : 'Check the backup'}
      </Button>
    </form>
  );
}

type TargetChoiceProps = {
  where: string;
  calls: Restoring['calls'];
  name: string;
  onName(name: string): void;
};

const optionText = (
  { madeAt, size, encrypted, server, ahead }: TargetBackupsView['backups'][number],
  hasServers: boolean,
): string =>
  [
    whenText(madeAt),
    ...(ahead ? ['ahead of the clock'] : []),
    ...(hasServers ? [`server ${server}`] : []),
    humanSize(size),
    ...(encrypted ? ['encrypted'] : []),
  ].join(', ');

function TargetChoice({ where, calls, name, onName }: TargetChoiceProps) {
  const loaded = useLoaded(calls.targetBackups, 'The backup target could not be asked.');
  return (
    <LoadedBody loaded={loaded} label="Asking the backup target…" rows={1}>
      {({ backups }) =>
        backups.length === 0 ? (
          <p className="muted">There are no backups in {where}.</p>
        ) : (
          <label className="stack gap-1 break-words">
            Or one of {where}
            <select className="input" value={name} onChange={({ target }) => onName(target.value)}>
              <option value="">None</option>
              {backups.map((backup) => (
                <option key={backup.name} value={backup.name}>
                  {optionText(backup, new Set(backups.map(({ server }) => server)).size > 1)}
                </option>
              ))}
            </select>
          </label>
        )
      }
    </LoadedBody>
  );
}
