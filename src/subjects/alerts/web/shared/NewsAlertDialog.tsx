import { type ReactNode, useEffect, useState } from 'react';
import { MESSAGES } from '#texts/messages.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/Banner.tsx';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import { endSnackbar } from '#ui/Snackbar.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { loadLinkedChats, linkedChats, platformsOf } from '#subjects/chats/web/shared/linkedChats.ts';
import { loadDevices, newDeviceChoice, ownDevices } from '#subjects/devices/web/shared/devices.ts';
import { ANNOUNCEMENT_KINDS, KIND_LABELS } from '#subjects/announcements/rules/announcementKind.ts';
import { pickValues, SCAN_OPTIONS } from '../../answers/options.ts';
import type { WatchedNews } from '../../answers/scanAlert.ts';
import type { ScanAlertView } from '../../rules/scanAlerts/scanAlert.ts';
import { isSameScan, scanAlertTitle } from '../../rules/scanAlerts/scanAlertText.ts';
import { MAX_TYPED_WORDS, newsStocks, phrasesOf } from '../../rules/scanAlerts/watchedNews.ts';
import { fetchScanAlerts, type NewsAlertDraft, saveScanAlert, useWork } from './alertRequests.ts';
import { scanAlertsChanged } from './alertStream.ts';
import { DestinationToggles } from './Destinations.tsx';
import { MoreOptions, NEWS_LIMITS } from './MoreOptions.tsx';
import { confirmAdded } from './scanAlertToasts.ts';
import { fetchLists } from './watchlists.ts';
import '../alerts.css';

type NewsAlertDialogProps = {
  /** Null for a new one. */
  alert: ScanAlertView | null;
  draft: NewsAlertDraft;
  onClose(): void;
};

/** The draft of an alert. A new one is sent to all chats and devices, once these are loaded. */
function useDraft({ alert, draft: first }: Pick<NewsAlertDialogProps, 'alert' | 'draft'>) {
  const [draft, setDraft] = useState<NewsAlertDraft>(() =>
    alert ? { ...first, ...pickValues(SCAN_OPTIONS, alert), destinations: alert.destinations } : first,
  );
  const change = (part: Partial<NewsAlertDraft>) => setDraft((before) => ({ ...before, ...part }));
  useEffect(() => {
    // Ends the confirmation of the previous alert, which would cover the buttons.
    endSnackbar();
    void Promise.all([loadLinkedChats(), loadDevices()]).then(() => {
      if (alert !== null) return;
      const devices = newDeviceChoice(ownDevices.peek());
      change({ destinations: { ...platformsOf(linkedChats.peek() ?? []), devices } });
    });
  }, [alert]);
  return { draft, change };
}

export function NewsAlertDialog({ alert, draft: first, onClose }: NewsAlertDialogProps): ReactNode {
  const { draft, change } = useDraft({ alert, draft: first });
  const [typed, setTyped] = useState(() => first.scan.words.join(', '));
  const { isBusy, error, work } = useWork(MESSAGES.watchlist.saveAlert);
  const scan = { ...draft.scan, words: phrasesOf(typed) };
  const isWhole = !NEWS_LIMITS.some(([{ name }]) => Number.isNaN(draft[name]));
  const save = () =>
    work(async () => {
      const saved = await saveScanAlert({ ...draft, scan }, alert);
      scanAlertsChanged();
      onClose();
      if (alert === null) confirmAdded(saved);
    });
  const put = (part: Partial<WatchedNews>) => change({ scan: { ...draft.scan, ...part } });
  return (
    <DialogSheet
      open
      title={alert ? 'Alert on announcements' : 'New alert on announcements'}
      description={`${scanAlertTitle({ ...draft, scan })}.`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={isBusy} onClick={() => isWhole && void save()}>
            {isBusy ? 'Saving…' : alert ? 'Save' : 'Add alert'}
          </Button>
        </>
      }
    >
      <div className="stack gap-4">
        {alert === null && <SameNote draft={{ ...draft, scan }} />}
        <div className="form-row">
          <StocksField draft={draft} change={change} />
          <TextField
            label="Words in the headline (optional)"
            help="Whole words or phrases, with commas between them. One is enough."
            value={typed}
            maxLength={MAX_TYPED_WORDS}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <Toggle
          label="Price sensitive only"
          checked={draft.scan.filters?.sensitiveOnly === true}
          onChange={(isOn) => put({ filters: filtersOf(draft.scan, { sensitiveOnly: isOn || undefined }) })}
        />
        <Kinds scan={draft.scan} onChange={(kinds) => put({ kinds })} />
        <DestinationToggles
          destinations={draft.destinations}
          onChange={(destinations) => change({ destinations })}
        />
        <MoreOptions draft={draft} change={change} limits={NEWS_LIMITS} />
        {error !== null && <FormError>{error}</FormError>}
      </div>
    </DialogSheet>
  );
}

type Filters = NonNullable<WatchedNews['filters']>;

/** The filters with a change; undefined removes one. */
function filtersOf(
  { filters }: WatchedNews,
  change: { [K in keyof Filters]?: Filters[K] | undefined },
): Filters {
  const { sensitiveOnly, lists } = { ...filters, ...change };
  return { minValue: 0, ...(sensitiveOnly && { sensitiveOnly }), ...(lists && { lists }) };
}

type KindsProps = { scan: WatchedNews; onChange(kinds: WatchedNews['kinds']): void };

const Kinds = ({ scan: { kinds }, onChange }: KindsProps): ReactNode => (
  <fieldset className="stack gap-2">
    <legend className="small">{kinds.length === 0 ? 'Types: all' : 'Types'}</legend>
    <div className="alert-kinds">
      {ANNOUNCEMENT_KINDS.map((kind) => (
        <Toggle
          key={kind}
          label={KIND_LABELS[kind]}
          checked={kinds.includes(kind)}
          onChange={(isOn) =>
            onChange(ANNOUNCEMENT_KINDS.filter((one) => (one === kind ? isOn : kinds.includes(one))))
          }
        />
      ))}
    </div>
  </fieldset>
);

type StocksFieldProps = { draft: NewsAlertDraft; change(part: Partial<NewsAlertDraft>): void };

/** All lists, one list or any stock. Several lists, which only the API can choose, are one option. */
function StocksField({ draft, change }: StocksFieldProps): ReactNode {
  const { data: lists } = useLoaded(fetchLists, MESSAGES.watchlist.load);
  const { scan, scope } = draft;
  const chosen = scan.filters?.lists;
  const value = chosen === undefined || chosen === 'all' ? scope : chosen.map(({ id }) => id).join();
  const known = (lists ?? []).map(({ id, name }) => ({ id: String(id), label: name }));
  const others = [{ id: 'watchlist', label: 'My lists' }, ...known, { id: 'market', label: 'Any stock' }];
  const isListed = others.some(({ id }) => id === value);
  const named = newsStocks(scan, scope).replace(/^of my /, '');
  return (
    <NativeSelect
      label="Stocks"
      value={value}
      options={isListed ? others : [...others, { id: value, label: named }]}
      onChoose={(id) => {
        const list = (lists ?? []).find((one) => String(one.id) === id);
        const filter = list && [{ id: list.id, name: list.name }];
        change({
          scope: id === 'watchlist' ? 'watchlist' : 'market',
          scan: { ...scan, filters: filtersOf(scan, { lists: filter }) },
        });
      }}
    />
  );
}

/** Says that the user already has this alert. */
function SameNote({ draft }: { draft: NewsAlertDraft }): ReactNode {
  const { data } = useLoaded(fetchScanAlerts, MESSAGES.watchlist.loadAlerts);
  const isThere = (data?.scan_alerts ?? []).some(
    ({ scan, scope }) => scope === draft.scope && isSameScan(scan, draft.scan),
  );
  return (
    isThere && <p className="muted">You already have this alert. Each announcement notifies you once.</p>
  );
}
