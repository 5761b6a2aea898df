import './ShortcutsDialog.css';
import { navLabel, navRoutes, TAB_ROUTES } from '../../shared/router/routes.ts';
import { session } from '../../shared/session/session.ts';
import { DialogSheet } from '../../ui/DialogSheet.tsx';

type Row = { keys: readonly string[]; does: string };

const TABLE_AND_PAGE: readonly Row[] = [
  { keys: ['/'], does: 'Filter the table' },
  { keys: ['↓', 'j'], does: 'Next row' },
  { keys: ['↑', 'k'], does: 'Previous row' },
  { keys: ['Enter'], does: 'Show or hide the row’s news' },
  { keys: ['.'], does: 'Resume a paused order of rows' },
  { keys: ['Ctrl', 'K'], does: 'Go to a symbol, screen or action (⌘ K on a Mac)' },
  { keys: ['?'], does: 'List the keys' },
];

/** Every key the product knows. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { accessLevel } = session.value;
  return (
    <DialogSheet open title="Keyboard" onClose={onClose}>
      <div className="keys">
        <KeyList
          title="Scanners"
          rows={TAB_ROUTES.map(({ tab, title }) => ({ keys: [tab.key], does: title }))}
        />
        <KeyList
          title="Screens"
          rows={navRoutes(accessLevel).map((route) => ({
            keys: ['g', route.nav.key],
            does: navLabel(route),
          }))}
        />
        <KeyList title="Table and page" rows={TABLE_AND_PAGE} />
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
