import { type ReactNode, useEffect, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { Loaded } from '#web/shared/useLoaded.ts';
import { formatDate } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { serverNow } from '#web/live/market.ts';
import { followChanges } from '#subjects/alerts/web/shared/alertStream.ts';
import { LateConfirm } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { findingTitle, MAX_PRESSED, type ReviewPress } from '#subjects/alerts/rules/review/finding.ts';
import { nothingFoundText } from '#subjects/alerts/rules/review/overview.ts';
import type { FindingShown, ReviewShown } from './api.ts';
import { OneFinding, TakeFindings } from './TakeFindings.tsx';
import { Findings } from './Findings.tsx';
import './Review.css';
import { useFocusStays } from './useFocusStays.ts';
import { type PressOutcome, usePresses } from './usePresses.ts';
import { WeeklyToggle } from './WeeklyToggle.tsx';

/** What was changed in an editor comes in several steps. */
const AFTER_CHANGE_MS = 1500;

type Asked = { findings: readonly FindingShown[]; press: ReviewPress };

/** Loads the review again some time after alerts were changed, in whatever window or chat. */
function useChanges(reload: () => Promise<void>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = followChanges(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void reload(), AFTER_CHANGE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [reload]);
}

/** What is selected of the findings that are still there. */
function useSelected(findings: readonly FindingShown[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const chosen = findings.filter(({ key }) => keys.has(key)).slice(0, MAX_PRESSED);
  const toggle = (key: string) =>
    setKeys(
      (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
    );
  const all = (isOn: boolean) => setKeys(new Set(isOn ? findings.map(({ key }) => key) : []));
  return { chosen, selected: new Set(chosen.map(({ key }) => key)), toggle, all };
}

/** Asks before anything is lost, and presses everything else at once. */
function useAsking(press: (some: readonly FindingShown[], what: ReviewPress) => Promise<void>) {
  const [asked, ask] = useState<Asked | null>(null);
  const begin = (findings: readonly FindingShown[], what: ReviewPress) => {
    if (what === 'delete' || what === 'merge') ask({ findings, press: what });
    else void press(findings, what);
  };
  const confirm = () => {
    ask(null);
    if (asked) void press(asked.findings, asked.press);
  };
  return { asked, begin, confirm, cancel: () => ask(null) };
}

/** What to look at among the user's alerts, with the presses that settle it. */
export function Review({ loaded }: { loaded: Loaded<ReviewShown> }): ReactNode {
  const { data, error, reload, set } = loaded;
  useChanges(reload);
  const findings = data?.findings ?? [];
  const { isBusy, outcome, press, forget } = usePresses({ show: set, reload });
  const section = useFocusStays(isBusy);
  const { chosen, selected, toggle, all } = useSelected(findings);
  const { asked, begin, confirm, cancel } = useAsking(press);
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="review"
      aria-label="Review of your alerts"
      aria-busy={data === null}
    >
      <LoadFailure error={error} hasOld={data !== null} onRetry={reload} />
      {data !== null && <WeeklyToggle review={data} onSaved={set} />}
      {outcome && <OutcomeBanner outcome={outcome} onDismiss={forget} />}
      {data === null && error === null && <SkeletonRows rows={4} label="Loading…" />}
      {data !== null && findings.length === 0 && <NothingFound overview={data.overview} />}
      {findings.length === 1 && <OneFinding findings={findings} />}
      {findings.length > 1 && (
        <ManyFindings findings={findings} chosen={chosen} isBusy={isBusy} onAll={all} onPress={begin} />
      )}
      <Findings
        findings={findings}
        selected={selected}
        isBusy={isBusy}
        onToggle={toggle}
        onPress={(one, what) => begin([one], what)}
      />
      {asked && <AskFirst {...asked} onCancel={cancel} onConfirm={confirm} />}
    </section>
  );
}

type LoadFailureProps = { error: string | null; hasOld: boolean; onRetry(): Promise<void> };

const LoadFailure = ({ error, hasOld, onRetry }: LoadFailureProps): ReactNode =>
  error !== null && (
    <Banner action={<Button onClick={() => void onRetry()}>Retry</Button>}>
      {error}
      {hasOld && <span> · Shown is the review as it was loaded before</span>}
    </Banner>
  );

const NothingFound = ({ overview }: Pick<ReviewShown, 'overview'>): ReactNode => (
  <EmptyState detail={formatDate(sydneyDate(serverNow()))}>{nothingFoundText(overview)}</EmptyState>
);

const OutcomeBanner = ({ outcome, onDismiss }: { outcome: PressOutcome; onDismiss(): void }): ReactNode => (
  <Banner
    variant={outcome.isWhole ? 'info' : 'error'}
    onDismiss={onDismiss}
    action={outcome.undo && <Button onClick={() => void outcome.undo?.()}>Undo</Button>}
  >
    {outcome.text}
  </Banner>
);

type ManyFindingsProps = {
  findings: readonly FindingShown[];
  chosen: readonly FindingShown[];
  isBusy: boolean;
  onAll(isOn: boolean): void;
  onPress(findings: readonly FindingShown[], press: ReviewPress): void;
};

const MANY: readonly [ReviewPress, string][] = [
  ['pause', 'Pause'],
  ['delete', 'Delete…'],
  ['keep', 'Keep'],
];

/** What is done with all that are selected, as far as each offers it. */
function ManyFindings({ findings, chosen, isBusy, onAll, onPress }: ManyFindingsProps): ReactNode {
  return (
    <div className="review-many row" role="group" aria-label="Selected findings">
      <label className="finding-all">
        <input
          type="checkbox"
          checked={chosen.length === findings.length}
          onChange={({ target }) => onAll(target.checked)}
        />
        <span>Select all</span>
      </label>
      <span className="muted" role="status">
        {chosen.length > 0
          ? `${chosen.length} of ${findings.length} selected`
          : `${findings.length} to look at`}
      </span>
      {MANY.map(([press, label]) => {
        const some = chosen.filter(({ presses }) => presses.includes(press));
        return (
          <Button key={press} disabled={isBusy || some.length === 0} onClick={() => onPress(some, press)}>
            {label}
          </Button>
        );
      })}
      <TakeFindings findings={findings} />
    </div>
  );
}

/** Asks before alerts are deleted. */
function AskFirst({
  findings,
  press,
  ...answers
}: Asked & { onCancel(): void; onConfirm(): void }): ReactNode {
  const alerts = findings.flatMap((one) => one.alerts);
  const gone =
    press === 'merge'
      ? alerts.length - findings.length
      : new Set(alerts.map(({ of, id }) => `${of} ${id}`)).size;
  const count = gone === 1 ? '1 alert' : `${gone} alerts`;
  const title = press === 'merge' ? 'Merge into one?' : `Delete ${count}?`;
  return (
    <LateConfirm
      title={title}
      action={press === 'merge' ? `Merge and delete ${count}` : `Delete ${count}`}
      {...answers}
    >
      <p>{findings.map(findingTitle).slice(0, 5).join(', ')}.</p>
      <p>
        {press === 'merge'
          ? 'The oldest stays with its own name and note. What is deleted loses its history.'
          : 'Their history goes too.'}
      </p>
    </LateConfirm>
  );
}
