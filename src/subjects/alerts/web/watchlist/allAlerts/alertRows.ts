import { type AlertState, alertState } from '#subjects/alerts/rules/alertState.ts';
import type { Destinations } from '#subjects/alerts/rules/recipient.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { SessionPhase } from '#market/rules/sessionClock.ts';
import { scanAlertTitle, scanLabel } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { ReasonShown } from '../api.ts';
import type { SavedAlert } from '../alerts/editorState.ts';
import { useEffect, useMemo } from 'react';
import { sessionPhase } from '#web/live/marketHours.ts';
import { loadCatalogs, platformCatalog } from '#web/shared/indicators/catalog.ts';
import { conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { useCompanies } from '../parts/AlertList.tsx';

export type LoadedAlerts = { stocks: readonly SavedAlert[]; scans: readonly ScanAlertView[] };

export type AlertOfAny = { kind: 'alert'; alert: SavedAlert } | { kind: 'scan'; alert: ScanAlertView };

export type AlertRow = {
  /** Row id. It includes the kind, because ids are unique only per kind. */
  id: string;
  of: AlertOfAny;
  what: string;
  /** Empty for scans, and if the live list lacks the stock. */
  company: string;
  name: string;
  words: string;
  state: AlertState;
  repeats: string;
  destinations: Destinations;
  /** Time of the last trigger, by the market's clock if known, epoch ms; null for never. */
  lastAt: number | null;
  /** Epoch ms, market time; null for never. */
  expiresAt: number | null;
  note: string;
  group: string;
  isSelected: boolean;
  reasons: readonly ReasonShown[];
  original: AlertOfAny | null;
};

export const whyOf = ({ reasons }: AlertRow): string => reasons.map(({ text }) => text).join(' ');

/** Suggested cooldown in minutes; null if a longer cooldown does not help. */
export const raisedCooldown = ({ reasons }: AlertRow): number | null =>
  reasons.find(({ cooldown }) => cooldown !== null)?.cooldown ?? null;

/** The alert's name in texts: 'BHP Breakout', 'Any stock enters Pre-Market Scan'. */
export const calledOf = ({ what, name, words, of }: AlertRow): string =>
  of.kind === 'scan' ? name || words : [what, name].filter((part) => part !== '').join(' ');

const NONE: readonly never[] = [];

const timeOf = (iso: string | null | undefined): number | null => (iso ? Date.parse(iso) : null);

export const rowIdOf = ({ kind, alert }: AlertOfAny): string => `${kind} ${alert.id}`;

type Names = {
  catalog: Pick<Catalog, 'indicators'> | null;
  companyOf(symbol: string): string;
  phase: SessionPhase | null;
};

function rowOfAlert(alert: SavedAlert, { catalog, companyOf, phase }: Names): AlertRow {
  const of: AlertOfAny = { kind: 'alert', alert };
  return {
    id: rowIdOf(of),
    of,
    what: alert.symbol,
    company: companyOf(alert.symbol),
    name: alert.name ?? '',
    words: alert.logic_json === null ? 'Created in a newer version' : logicText(alert.logic_json, catalog),
    state: alertState(alert, phase),
    repeats: alert.persistent ? 'Yes' : 'No',
    destinations: alert.destinations,
    lastAt: timeOf(alert.last_triggered_market_time ?? alert.last_triggered_at),
    expiresAt: timeOf(alert.expires_at),
    note: alert.note ?? '',
    group: alert.group ?? '',
    isSelected: false,
    reasons: NONE,
    original: null,
  };
}

function rowOfScanAlert(alert: ScanAlertView, { phase }: Pick<Names, 'phase'>): AlertRow {
  const of: AlertOfAny = { kind: 'scan', alert };
  return {
    id: rowIdOf(of),
    of,
    what: alert.scan.type === 'announcements' ? 'Announcements' : scanLabel(alert.scan),
    company: '',
    name: alert.name ?? '',
    words: scanAlertTitle(alert),
    state: alertState({ ...alert, stopped_reason: null, expires_at: null }, phase),
    repeats: alert.scan.type === 'announcements' ? 'Each one' : 'Each stock',
    destinations: alert.destinations,
    lastAt: timeOf(alert.last_triggered_market_time ?? alert.last_triggered_at),
    expiresAt: null,
    note: '',
    group: alert.group ?? '',
    isSelected: false,
    reasons: NONE,
    original: null,
  };
}

export const alertRows = (
  stocks: readonly SavedAlert[],
  scans: readonly ScanAlertView[],
  names: Names,
): AlertRow[] => [
  ...stocks.map((alert) => rowOfAlert(alert, names)),
  ...scans.map((alert) => rowOfScanAlert(alert, names)),
];

/** Adds to each active alert its reasons for attention. */
function withReasons(rows: readonly AlertRow[], reasons: readonly ReasonShown[]): readonly AlertRow[] {
  const byRow = Map.groupBy(reasons, ({ of, id }) => `${of} ${id}`);
  const byId = new Map(rows.map(({ id, of }) => [id, of]));
  return rows.map((row) => {
    const own = byRow.get(row.id);
    if (own === undefined || !row.of.alert.active) return row;
    const original = own.find(({ duplicateOf }) => duplicateOf !== null)?.duplicateOf;
    return { ...row, reasons: own, original: byId.get(`${row.of.kind} ${original}`) ?? null };
  });
}

/** The state as requested, shown before the server answers. */
function withWanted({ of }: AlertRow, active: boolean, phase: SessionPhase | null): AlertState {
  const { problem, until_open } = of.alert;
  const stated = { active, problem, until_open, snoozed_until: null, stopped_reason: null, expires_at: null };
  return alertState(active ? stated : { ...stated, problem: null }, phase);
}

export const textsOf = ({ what, company, name, words, note, group }: AlertRow): string[] => [
  what,
  company,
  name,
  words,
  note,
  group,
];

const hasIndicator = (logic: Logic): boolean =>
  conditionsOf(logic).some(({ lhs, rhs }) => [lhs, rhs].some(({ type }) => type === 'indicator'));

/** Rows of all alerts; unchanged rows stay the same objects. @param wanted pending switches by row id */
export function useAlertRows(
  loaded: LoadedAlerts | null,
  reasons: readonly ReasonShown[],
  wanted: ReadonlyMap<string, boolean>,
  selected: ReadonlySet<string>,
): readonly AlertRow[] {
  // Loads names of indicators; without them, conditions show their keys.
  const namesIndicators =
    loaded?.stocks.some(({ logic_json: logic }) => logic && hasIndicator(logic)) ?? false;
  useEffect(() => {
    if (namesIndicators) void loadCatalogs();
  }, [namesIndicators]);
  const catalog = platformCatalog.value?.catalog ?? null;
  const symbols = useMemo(() => loaded?.stocks.map(({ symbol }) => symbol) ?? NONE, [loaded]);
  const companyOf = useCompanies(symbols);
  const phase = sessionPhase.value;
  const rows = useMemo(
    () =>
      loaded
        ? withReasons(alertRows(loaded.stocks, loaded.scans, { catalog, companyOf, phase }), reasons)
        : [],
    [loaded, reasons, catalog, companyOf, phase],
  );
  return useMemo(
    () =>
      rows.map((row) => {
        const isOn = wanted.get(row.id);
        const isSelected = selected.has(row.id);
        if (isOn === undefined && !isSelected) return row;
        return { ...row, isSelected, state: isOn === undefined ? row.state : withWanted(row, isOn, phase) };
      }),
    [rows, wanted, selected, phase],
  );
}
