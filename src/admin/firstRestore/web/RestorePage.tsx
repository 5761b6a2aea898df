import { type FormEvent, useMemo, useRef, useState } from 'react';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { FactList, whenText } from '#admin/web/parts/RecordTable.tsx';
import { askProcess, ServerReturnLine, useServerReturn } from '#admin/web/parts/ServerReturn.tsx';
import { humanSize } from '#lib/wording.ts';
import { Banner, FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { ApiError, errorText, NETWORK_ERROR, readerOf } from '#web/api/client.ts';
import { routeQuery } from '#web/router/navigate.ts';
import { LOGIN_PATH, REGISTER_PATH } from '#web/router/routes.ts';
import { BellbirdMark } from '#web/shared/BellbirdMark.tsx';
import { useLoaded, useReloads } from '#web/shared/useLoaded.ts';
import { useSending } from '#web/shared/useSending.tsx';
import {
  firstRestoreAnswer,
  type FirstRestoreView,
  targetBackupsAnswer,
  type TargetBackupsView,
} from '../answers/firstRestore.ts';

/** Upload size per request, below nginx's default limit of 1 MB. */
const CHUNK_BYTES = 900_000;

async function call(token: string, path: string, init: RequestInit = {}): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`/api/setup/restore${path}`, {
      ...init,
      headers: { ...init.headers, 'x-setup-token': token },
    });
  } catch (cause) {
    throw new ApiError(NETWORK_ERROR, 503, cause);
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok)
    throw new ApiError(errorText(response.status, response.statusText, body), response.status, body);
  return body;
}

const readView = readerOf(firstRestoreAnswer);
const readBackups = readerOf(targetBackupsAnswer);

const json = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** The requests of this page, authorised by a set-up link. Each throws ApiError with the sentence to show. */
const restoreCalls = (token: string) => ({
  view: async (): Promise<FirstRestoreView> => readView(await call(token, '')),
  targetBackups: async (): Promise<TargetBackupsView> => readBackups(await call(token, '/target')),
  /** @param name a backup at the target; null for the uploaded file */
  check: async (name: string | null, secret: string): Promise<FirstRestoreView> =>
    readView(await call(token, '/check', json({ name, secret }))),
  /** @param accountsHere the number of accounts to replace that the page showed */
  apply: async (accountsHere: number): Promise<FirstRestoreView> =>
    readView(await call(token, '/apply', json({ accountsHere }))),
  /** @param onProgress called with the share that was sent, 0 to 1 */
  async send(file: Blob, onProgress: (share: number) => void): Promise<void> {
    let at = 0;
    do {
      const chunk = file.slice(at, at + CHUNK_BYTES);
      await call(token, `/piece?at=${at}&size=${file.size}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: chunk,
      });
      at += chunk.size;
      onProgress(at / file.size);
    } while (at < file.size);
  },
});

const ASK_EVERY_MS = 1000;

/** The form's input, kept during the check so that the user can try another passphrase. */
export type RestoreInput = {
  file: File | null;
  name: string;
  secret: string;
};
const EMPTY: RestoreInput = { file: null, name: '', secret: '' };

/** The form's input, and whether the user is choosing again after a check. */
function useChoice() {
  const [input, setInput] = useState(EMPTY);
  const [isChoosing, setChoosing] = useState(false);
  return { input, setInput, isChoosing, setChoosing };
}

export function useRestore(token: string) {
  const calls = useMemo(() => restoreCalls(token), [token]);
  const loaded = useLoaded(calls.view, 'The restore status could not be loaded.');
  const { data, reload, set } = loaded;
  const choice = useChoice();
  const [sending, setSending] = useState<number | null>(null);
  const [sent, setSent] = useState<File | null>(null);
  const { isBusy, refusal, send: attempt } = useSending();
  const server = useServerReturn();
  useReloads(data?.state === 'checking', reload, ASK_EVERY_MS);

  const send = async (file: File): Promise<void> => {
    setSending(0);
    await calls.send(file, setSending).finally(() => setSending(null));
    setSent(file);
  };
  const check = (name: string | null, file: File | null, secret: string) =>
    attempt(async () => {
      // Trying another passphrase does not need another upload.
      if (file !== null && (file !== sent || data?.state !== 'arrived')) await send(file);
      choice.setChoosing(false);
      set(await calls.check(name, secret));
    }, 'The backup could not be checked.');
  const apply = () =>
    attempt(async () => {
      const before = await askProcess();
      const view = await calls.apply(data?.accountsHere ?? 0).catch((problem: unknown) => {
        // Another account may have registered, so show its name.
        void reload();
        throw problem;
      });
      set(view);
      if (before && view.noRestart === null) server.waitForNext(before);
    }, 'The backup could not be restored.');
  return {
    ...choice,
    calls,
    loaded,
    sending,
    isBusy,
    refusal: refusal?.message ?? null,
    server,
    check,
    apply,
  };
}
export type Restoring = ReturnType<typeof useRestore>;

/** The restore page of a new server that has no administrator; it needs the set-up link. */
export function RestorePage() {
  const token = routeQuery.value.get('setup') ?? '';
  const restoring = useRestore(token);
  const { loaded, server } = restoring;
  return (
    <section className="first-restore lone-form" aria-labelledby="first-restore-title">
      <BellbirdMark size={44} />
      <h1 id="first-restore-title">Restore a backup</h1>
      {server.progress === 'back' ? (
        <p role="status">The backup is restored. Log in with an account from it.</p>
      ) : (
        <LoadedBody loaded={loaded} label="Loading…">
          {(view) => <Step view={view} restoring={restoring} />}
        </LoadedBody>
      )}
      <p>
        {server.progress === 'back' ? (
          <a className="touch" href={`#${LOGIN_PATH}`}>
            Log in
          </a>
        ) : (
          loaded.data?.state !== 'chosen' && (
            <a className="touch" href={`#${REGISTER_PATH}?setup=${encodeURIComponent(token)}`}>
              Start without a backup
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
        {Math.round(share * 100)}%
      </progress>
    </div>
  );
}

/** Lists accounts that registered before the restore, which will replace them. */
function AccountsHere({ view: { accountsHere, namesHere } }: { view: FirstRestoreView }) {
  if (accountsHere === 0) return null;
  const more = accountsHere - namesHere.length;
  return (
    <Banner variant="warn">
      {accountsHere === 1 ? '1 account' : `${accountsHere} accounts`} already registered on this server will
      be removed by the restore: {namesHere.join(', ')}
      {more > 0 && ` and ${more} more`}. The current database is kept in the data folder.
    </Banner>
  );
}

function Ready({ view, restoring }: StepProps) {
  const { isBusy, refusal, apply, setChoosing } = restoring;
  const { preview } = view;
  return (
    <div>
      {preview && (
        <FactList
          facts={[
            ['Made', preview.madeAt === null ? 'Unknown' : `${whenText(preview.madeAt)} Sydney`],
            ['By version', preview.version ?? 'Not recorded'],
            ['Accounts', String(preview.accounts)],
          ]}
        />
      )}
      <p>
        The backup is complete and valid.
        {preview !== null && preview.pending > 0 && ' It is from an older version and will be upgraded.'} All
        users must log in again.
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

/** A button that chooses a file. The browser's own file input would be in the browser's language. */
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
          // Reset, so that the same file can be chosen again.
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
        ? 'Leave it empty to use the one from the settings.'
        : 'Only for an encrypted backup (.age).'
    }
    value={secret}
    onChange={({ target }) => onSecret(target.value)}
  />
);

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
  const setName = (chosen: string) => change({ name: chosen, file: null });
  return (
    <form noValidate onSubmit={submit}>
      <p className="muted">Check the backup first. Nothing changes until you confirm.</p>
      <FileChoice file={file} onChoose={(chosen) => change({ file: chosen, name: '' })} />
      {target && <TargetChoice where={target.where} calls={calls} name={name} onName={setName} />}
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
    ...(ahead ? ['in the future'] : []),
    ...(hasServers ? [`server ${server}`] : []),
    humanSize(size),
    ...(encrypted ? ['encrypted'] : []),
  ].join(', ');

function TargetChoice({ where, calls, name, onName }: TargetChoiceProps) {
  const loaded = useLoaded(calls.targetBackups, 'The backups at the target could not be listed.');
  return (
    <LoadedBody loaded={loaded} label="Listing backups…" rows={1}>
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
