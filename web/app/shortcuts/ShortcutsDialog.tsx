import { ADMIN_LEVEL } from '../../shared/router/routes.ts';
import { session } from '../../shared/session/session.ts';
import { GO_TO } from './shortcuts.ts';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { SCANNER_TABS } from '../screens.tsx';
import './ShortcutsDialog.css';

type Row = { keys: readonly string[]; does: string };

const TABLE: readonly Row[] = [
  { keys: ['/'], does: 'Filter the table' },
  { keys: ['↓', 'j'], does: 'Next row' },
  { keys: ['↑', 'k'], does: 'Previous row' },
  { keys: ['Enter'], does: 'Show or hide the row’s news' },
  { keys: ['Ctrl', 'K'], does: 'Go to a symbol, screen or action (⌘ K on a Mac)' },
  { keys: ['?'], does: 'List the keys' },
];

/** Every key the product knows. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { accessLevel } = session.value;
  const screens = GO_TO.filter((entry) => entry.to !== '/admin' || accessLevel >= ADMIN_LEVEL);
  return (
    <DialogSheet open title="Keyboard" onClose={onClose}>
      <div className="keys">
        <KeyList
          title="Scanners"
          rows={SCANNER_TABS.map((tab, at) => ({ keys: [`${at + 1}`], does: tab.label }))}
        />
        <KeyList
          title="Screens"
          rows={screens.map(({ key, label }) => ({ keys: ['g', key], does: label }))}
        />
        <KeyList title="Table and page" rows={TABLE} />
      </div>
    </DialogSheet>
  );
}

function KeyList({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map((row) => (
          <div key={row.does}>
            <dt>
              {row.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{row.does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
