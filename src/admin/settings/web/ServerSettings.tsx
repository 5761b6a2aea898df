import { useState } from 'react';
import { DASH } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TextField } from '#ui/Field.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { type SettingRow, settingsAnswer } from '../answers/settings.ts';

const fetchSettings = () => request('GET /api/admin/settings', { read: readerOf(settingsAnswer) });

/** The settings of the server, read-only, with a filter. */
export function ServerSettings() {
  const loaded = useLoaded(fetchSettings, ADMIN_MESSAGES.loadSettings);
  const [typed, setTyped] = useState('');
  return (
    <>
      <p className="muted">
        Change these in the server’s environment (with systemd: /etc/bellbird/env). Changes take effect at the
        next restart. Secrets are never shown.
      </p>
      <LoadedBody loaded={loaded} label="Loading settings…" rows={6}>
        {({ settings }) => (
          <>
            <div>
              <TextField
                label="Filter settings"
                type="search"
                autoComplete="off"
                spellCheck={false}
                maxLength={60}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </div>
            <Settings settings={settings.filter((setting) => isMatch(setting, typed))} />
          </>
        )}
      </LoadedBody>
    </>
  );
}

const isMatch = ({ name, meaning, value }: SettingRow, typed: string): boolean =>
  `${name} ${meaning} ${value ?? ''}`.toLowerCase().includes(typed.trim().toLowerCase());

const HEADINGS = ['Setting', 'What it does', 'Value', 'Default', 'From'];
const ORIGIN_WORDS = {
  environment: 'Environment',
  file: 'File in the data folder',
  default: 'Default',
} as const;

function Settings({ settings }: { settings: readonly SettingRow[] }) {
  if (settings.length === 0) return <EmptyState>No settings match.</EmptyState>;
  return (
    <RecordTable label="Settings" headings={HEADINGS} isText>
      {settings.map((setting) => (
        <Row key={setting.name} setting={setting} />
      ))}
    </RecordTable>
  );
}

function valueText({ isSecret, isSet, value }: SettingRow): string {
  if (isSecret) return isSet ? 'Set' : 'Not set';
  return isSet ? (value ?? DASH) : DASH;
}

const Row = ({ setting }: { setting: SettingRow }) => (
  <tr>
    <th scope="row" data-heading="Setting" className="setting-name">
      {setting.name}
    </th>
    <td data-heading="What it does">{setting.meaning}</td>
    <td data-heading="Value">{valueText(setting)}</td>
    <td data-heading="Default">{setting.fallback}</td>
    <td data-heading="From">{ORIGIN_WORDS[setting.origin]}</td>
  </tr>
);
