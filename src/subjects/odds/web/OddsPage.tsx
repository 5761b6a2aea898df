import { type ReactNode, useState } from 'react';
import { counted, formatShortDate } from '#texts/format.ts';
import { isSameFilters, type ScanFilters, usualFilters } from '#market/scanners/rules/filters.ts';
import { SHARED_SCANNERS } from '#subjects/alerts/answers/scanAlert.ts';
import { scannerOfWatched } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { ScanAlertDialog } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { useOwnScans } from '#subjects/indicators/web/shared/ownScans.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Page } from '#ui/Page.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { messageOf } from '#web/api/client.ts';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { sourceName } from '#web/live/staleness.ts';
import { replaceAddress, routeQuery, useScreenTitle } from '#web/router/navigate.ts';
import { oddsPath, type OddsSubject } from '#web/shared/oddsPath.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { type ChosenScan, oddsSettings } from '../answers/odds.ts';
import { costsText, exitText } from '../rules/oddsText.ts';
import type { OddsResult, OddsSample } from '../rules/result.ts';
import type { OddsSettings } from '../rules/settings.ts';
import { useOddsSettings } from './oddsChoices.ts';
import { type OddsRequest, fetchSavedOdds, type OddsState, saveOdds, useOdds } from './oddsRequests.ts';
import { conditionsText, homeOf, isSameScan, nameOf, narrowedText, readSubject } from './oddsSubject.ts';
import { Details, Figures, Missing, Variants, Verdict } from './parts/Answer.tsx';
import { Entries } from './parts/Entries.tsx';
import { SavedSection } from './parts/SavedOdds.tsx';
import { SettingsForm } from './parts/SettingsForm.tsx';
import './odds.css';

/** What happened after stocks met a scan: whether it made money after costs, and whether that is luck. */
export function OddsPage(): ReactNode {
  const query = routeQuery.value;
  const subject = readSubject(query);
  return <Page>{subject === null ? <AllOdds /> : <OddsOf key={query.toString()} first={subject} />}</Page>;
}

const Disclaimer = (): ReactNode => (
  <p className="muted small">
    General information only, not financial advice. Past results do not predict future results.
  </p>
);

/** The scan and its filters, which the address keeps. */
function useSubject(first: OddsSubject) {
  const [subject, setSubject] = useState(first);
  const { scan } = subject;
  const watched = scan.type === 'scanner' || scan.type === 'scan' ? scan : null;
  const setFilters = (filters: ScanFilters) => {
    if (watched === null) return;
    const { filters: _, ...bare } = watched;
    const isUsual = isSameFilters(filters, usualFilters(scannerOfWatched(watched)));
    const next = { ...subject, scan: isUsual ? bare : { ...bare, filters } };
    setSubject(next);
    replaceAddress(`#${oddsPath(next)}`);
  };
  return { subject, watched, setFilters };
}

/** A request without incomplete numbers; null while one is being typed. */
function askedOf({ scan, subject }: OddsSubject, settings: OddsSettings): OddsRequest | null {
  const isWhole = oddsSettings.read(settings) !== null;
  const { minValue = 0, minChange = 0 } = ('filters' in scan && scan.filters) || {};
  if (!isWhole || Number.isNaN(minValue) || Number.isNaN(minChange)) return null;
  return { scan, settings, ...(subject !== undefined && { subject }) };
}

function OddsOf({ first }: { first: OddsSubject }): ReactNode {
  const { subject, watched, setFilters } = useSubject(first);
  const { settings, change } = useOddsSettings();
  const asked = askedOf(subject, settings);
  const odds = useOdds(asked);
  const { state } = odds;
  const name = nameOf({
    ...subject,
    ...(subject.name === undefined && state?.name ? { name: state.name } : {}),
  });
  const title = `Odds of ${name}`;
  useScreenTitle(title);
  const isNarrow = useWidthQuery('tablet');
  const form = <SettingsForm scan={watched} onFilters={setFilters} settings={settings} change={change} />;
  const saved = useSaved(subject.scan, asked, name);
  const result = state?.refused === null ? state.result : null;
  const hasTrades = result !== null && result.all.entries > 0;
  return (
    <div className="odds-page">
      <Head title={title} scan={subject.scan} />
      <div className="odds-answer stack gap-4" aria-busy={odds.isLoading}>
        {odds.error !== null && (
          <Banner action={<Button onClick={() => void odds.reload()}>Retry</Button>}>{odds.error}</Banner>
        )}
        {state ? (
          <div className="odds-words stack gap-4" data-old={odds.isOld || undefined}>
            <Answer
              state={state}
              progress={progressText(state, odds)}
              since={saved.current?.result?.all ?? null}
            />
          </div>
        ) : (
          odds.error === null && (
            <div className="odds-words">
              <SkeletonRows rows={5} label="Reading the sessions…" />
            </div>
          )
        )}
        {state?.history?.making && (
          <Banner variant="info">
            Bellbird is making missing sessions: {state.history.making.done} of {state.history.making.of} are
            done. The odds use those that are there.
          </Banner>
        )}
        <Counting scan={subject.scan} settings={settings} state={state} />
      </div>
      <aside className="odds-side" aria-label="Settings">
        {isNarrow ? <Disclosure label="Settings">{form}</Disclosure> : form}
      </aside>
      <div className="odds-more stack">
        {hasTrades && (
          <div className="odds-more stack" data-old={odds.isOld || undefined}>
            <Details result={result} of={state?.sessions?.of ?? 0} />
          </div>
        )}
        {/* After the answer, which would push it down. */}
        {(hasTrades || !odds.isLoading) && <Since {...saved} />}
        {hasTrades && state?.isDone && !odds.isOld && (
          <Entries key={state.id} id={state.id} onAgain={() => void odds.reload()} />
        )}
        {hasTrades && <Missing result={result} />}
        <Disclaimer />
      </div>
    </div>
  );
}

type HeadProps = { title: string; scan: ChosenScan };

function Head({ title, scan }: HeadProps): ReactNode {
  const { path, label } = homeOf(scan);
  const [isAlerting, setAlerting] = useState(false);
  const watched = scan.type === 'scanner' || scan.type === 'scan' ? scan : null;
  return (
    <header className="odds-head row gap-2-3">
      <a className="touch" href={`#${path}`}>
        {label}
      </a>
      <h1 className="break-words">{title}</h1>
      <FeedPill />
      <span className="push" />
      {watched && <Button onClick={() => setAlerting(true)}>Alert me</Button>}
      {watched && isAlerting && (
        <ScanAlertDialog alert={null} scan={watched} onClose={() => setAlerting(false)} />
      )}
    </header>
  );
}

/** Where the run is; null when it is done. */
function progressText(
  state: OddsState,
  { isOld, isLoading }: { isOld: boolean; isLoading: boolean },
): string | null {
  if (isOld && isLoading) return 'Computing with the new settings…';
  if (state.isDone || state.refused !== null) return null;
  if ((state.waiting ?? 0) > 0) return 'Waiting for another run to end…';
  const { done = 0, of = 0 } = state.sessions ?? {};
  return `${done} of ${counted(of, 'session')} so far…`;
}

/** The sessions that were used: '90 sessions from 20 July to 20 Nov of TradingView'. */
function historyText({ sessions, history }: OddsState): string {
  const { from, until, source, isReplay } = history ?? {};
  const span =
    from && until ? ` from ${formatShortDate(from, until)} to ${formatShortDate(until, until)}` : '';
  const of = source ? ` of ${isReplay ? 'the recording' : sourceName(source)}` : '';
  return `${counted(sessions?.of ?? 0, 'session')}${span}${of}`;
}

type CountingProps = { scan: ChosenScan; settings: OddsSettings; state: OddsState | null };

/** What is counted as a trade. */
function Counting({ scan, settings, state }: CountingProps): ReactNode {
  const conditions = conditionsText(scan);
  const others = state?.history?.otherSources ?? [];
  return (
    <Disclosure label="How this is counted">
      <div className="stack gap-2 prose muted table-text break-words">
        {state && <p>{historyText(state)}.</p>}
        {others.length > 0 && (
          <p>Sessions of other sources are not used: {others.map(sourceName).join(', ')}.</p>
        )}
        {conditions !== null && <p>A stock enters when all of this is true: {conditions}.</p>}
        <p>
          It is bought at the first trade of the next minute and {exitText(settings.exit)}. An auction fills
          at its price.
        </p>
        <p>Each trade costs: {costsText(settings)}.</p>
        <p>
          The entries of one day count as one sample for the interval, because stocks move together. The last
          third of the sessions is kept apart: a scan that was fitted to the past fails there first.
        </p>
      </div>
    </Disclosure>
  );
}

type AnswerProps = { state: OddsState; progress: string | null; since: OddsSample | null };

function Answer({ state, progress, since }: AnswerProps): ReactNode {
  const { refused, result, isDone, luck } = state;
  if (refused !== null) return <EmptyState>{refused}</EmptyState>;
  if (state.history?.sessions === 0 && isDone) {
    return (
      <EmptyState
        detail={
          state.history.making
            ? 'The first ones are being made, and the odds follow in a few seconds.'
            : 'Each trading day is stored when it ends. Come back after the next one.'
        }
      >
        No sessions are stored yet.
      </EmptyState>
    );
  }
  if (result === null) return <SkeletonRows rows={6} label="Reading the sessions…" />;
  if (result.all.entries === 0 && isDone) return <NoEntries result={result} />;
  return (
    <>
      <Verdict result={result} luck={luck} progress={progress} />
      <Figures result={result} since={since} />
      {progress === null && luck && <Variants result={result} luck={luck} />}
    </>
  );
}

function NoEntries({ result: { leftOut, notes } }: { result: OddsResult }): ReactNode {
  const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  return (
    <EmptyState detail={notes.join(' ')}>
      {left === 0
        ? 'No stock met this scan in these sessions. Loosen it, or wait for more sessions.'
        : `No trade has a result: all ${left} entries are left out.`}
    </EmptyState>
  );
}

/** The user's saved odds of a scan, and saving more. */
function useSaved(scan: ChosenScan, asked: OddsRequest | null, name: string) {
  const list = useLoaded(fetchSavedOdds, 'The saved odds could not be loaded.');
  const [isSaving, setSaving] = useState(false);
  const own = list.data?.saved.filter((one) => one.scan !== null && isSameScan(one.scan, scan)) ?? [];
  const current = own.find(
    (one) =>
      one.scan !== null &&
      narrowedText(one.scan) === narrowedText(scan) &&
      one.settings !== null &&
      exitText(one.settings.exit) === (asked && exitText(asked.settings.exit)),
  );
  const save = async () => {
    if (asked === null || isSaving) return;
    setSaving(true);
    try {
      const saved = await saveOdds(asked, name);
      if (list.data) list.set({ ...list.data, saved: [saved, ...list.data.saved] });
      showBriefly('Saved. New entries are collected from now on.');
    } catch (problem) {
      showBriefly(messageOf(problem, 'The odds could not be saved. Try again.'));
    }
    setSaving(false);
  };
  return { list, own, current, save, isSaving, canSave: list.data !== null && asked !== null };
}

/** The entries since the scan was saved, which cannot have been fitted. */
const Since = ({ list, own, save, isSaving, canSave }: ReturnType<typeof useSaved>): ReactNode => (
  <SavedSection list={list} saved={own} title="Since you saved it" isLinked={false}>
    <div className="row">
      <Button aria-disabled={!canSave || isSaving || undefined} onClick={() => void (canSave && save())}>
        {isSaving ? 'Saving…' : own.length > 0 ? 'Save with these settings too' : 'Save these odds'}
      </Button>
      <p className="muted small">
        Saving collects the entries from now on. They are the only ones that you could not have fitted.
      </p>
    </div>
  </SavedSection>
);

/** The page without a scan: saved odds, and the scans to ask about. */
function AllOdds(): ReactNode {
  const list = useLoaded(fetchSavedOdds, 'The saved odds could not be loaded.');
  const own = useOwnScans() ?? [];
  const scans: OddsSubject[] = [
    ...SHARED_SCANNERS.map((key) => ({ scan: { type: 'scanner' as const, key } })),
    ...own.map(({ id, name }) => ({ scan: { type: 'scan' as const, id, name } })),
  ];
  return (
    <>
      <header className="stack gap-1">
        <h1>Odds</h1>
        <p className="muted">What happened after stocks met a scan, after costs.</p>
      </header>
      <section className="stack gap-2" aria-labelledby="odds-scans">
        <h2 id="odds-scans">Does it work?</h2>
        <ul className="bullets">
          {scans.map((subject) => (
            <li key={oddsPath(subject)}>
              <a className="touch" href={`#${oddsPath(subject)}`}>
                {nameOf(subject)}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <SavedSection list={list} saved={list.data?.saved ?? []} title="Since you saved them" isLinked>
        {list.data?.saved.length === 0 && (
          <p className="muted">No saved odds yet. Open a scan above and save its odds.</p>
        )}
      </SavedSection>
      <Disclaimer />
    </>
  );
}
