import { type ReactNode, useEffect, useState, type RefObject, useLayoutEffect, useRef, useId } from 'react';
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
import {
  type FindingShown,
  type ReviewShown,
  saveWeekly,
  pressFindings,
  takeBack,
  unkeepFindings,
} from './api.ts';
import { Findings } from './Findings.tsx';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import type { TakenColumn } from '#ui/table/types.ts';
import { KIND_TITLES, pressedText } from './words.ts';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';
import { Toggle } from '#ui/Toggle.tsx';

/** What the last press did. @property undo takes it back; null where that can't be done */
type PressOutcome = { text: string; isWhole: boolean; undo: (() => Promise<void>) | null };

type PressesOptions = { show(review: ReviewShown): void; reload(): Promise<void> };

/** Takes a press back. @returns the review then, where the server told it */
async function undone(findings: readonly FindingShown[], press: ReviewPress): Promise<ReviewShown | null> {
  if (press === 'keep') return unkeepFindings(keysOf(findings));
  for (const finding of findings) await takeBack(finding, press);
  return null;
}

const keysOf = (findings: readonly FindingShown[]): string[] => findings.map(({ key }) => key);

/** Presses findings. @returns what became of it, and those with which it was done */
async function pressed(findings: readonly FindingShown[], press: ReviewPress) {
  const { failed, review } = await pressFindings(keysOf(findings), press);
  const refused = new Set(failed.map(({ called }) => called));
  const done = findings.filter((one) => !refused.has(one.alerts[0]?.called ?? ''));
  return {
    review,
    done,
    text: pressedText(press, done.map(findingTitle), failed),
    isWhole: failed.length === 0,
  };
}

/** What is done with findings, one thing at a time, and what became of it. */
function usePresses({ show, reload }: PressesOptions) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PressOutcome | null>(null);

  async function work(run: () => Promise<PressOutcome | null>): Promise<void> {
    setBusy(true);
    setOutcome(null);
    try {
      setOutcome(await run());
    } catch (problem) {
      setOutcome({ text: messageOf(problem, MESSAGES.review.press), isWhole: false, undo: null });
    } finally {
      setBusy(false);
    }
  }

  const undo = (findings: readonly FindingShown[], press: ReviewPress) => () =>
    work(async () => {
      const review = await undone(findings, press);
      if (review) show(review);
      else await reload();
      return null;
    });

  const press = (findings: readonly FindingShown[], what: ReviewPress): Promise<void> =>
    work(async () => {
      const { review, done, text, isWhole } = await pressed(findings, what);
      show(review);
      const isFinal = what === 'delete' || what === 'merge' || done.length === 0;
      return { text, isWhole, undo: isFinal ? null : undo(done, what) };
    });

  return { isBusy, outcome, press, forget: () => setOutcome(null) };
}

type WeeklyToggleProps = { review: ReviewShown; onSaved(review: ReviewShown): void };

/** Whether the review is sent once a week. */
function WeeklyToggle({ review: { weekly, hasPlace }, onSaved }: WeeklyToggleProps): ReactNode {
  const noteId = useId();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [error, setError] = useState<string | null>(null);
  const change = async (isOn: boolean) => {
    setWanted(isOn);
    setError(null);
    try {
      onSaved(await saveWeekly(isOn));
    } catch (problem) {
      setError(messageOf(problem, MESSAGES.review.press));
    } finally {
      setWanted(null);
    }
  };
  const isOn = wanted ?? weekly;
  return (
    <>
      <div className="review-weekly row">
        <Toggle
          label="Send me this once a week"
          describedBy={noteId}
          checked={isOn}
          disabled={wanted !== null}
          onChange={(next) => void change(next)}
        />
        <span className="muted" id={noteId}>
          {hasPlace ? (
            'To your chats and devices on Saturdays at 10:00 Sydney, only when there is something to look at.'
          ) : (
            <>
              No chat or device takes messages yet: <a href={`#${SETTINGS_PATH}`}>link one in Settings</a>.
            </>
          )}
        </span>
      </div>
      {error !== null && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
    </>
  );
}

/**
 * Keeps the focus where somebody works through a list by keyboard: a pressed button is disabled meanwhile, and its finding is
 * gone afterwards. Then the focus goes to the one that stands in its place, or to the whole when none is left.
 * @returns for the section in which the findings stand
 */
function useFocusStays(isBusy: boolean): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  const place = useRef<number | null>(null);
  useLayoutEffect(() => {
    const findings = [...(section.current?.querySelectorAll('.finding') ?? [])];
    if (isBusy) {
      const at = findings.findIndex((one) => one.contains(document.activeElement));
      if (at >= 0) place.current = at;
      return;
    }
    const at = place.current;
    place.current = null;
    if (at === null || document.activeElement !== document.body) return;
    const next = findings[Math.min(at, findings.length - 1)];
    (next?.querySelector<HTMLElement>('input') ?? section.current)?.focus();
  }, [isBusy]);
  return section;
}

const TAKEN: readonly TakenColumn<FindingShown>[] = [
  { label: 'Kind', value: ({ kind }) => KIND_TITLES[kind] },
  { label: 'Alerts', value: ({ alerts }) => alerts.map(({ called }) => called).join(', ') },
  { label: 'Finding', value: ({ text }) => text },
];

/** Copies or saves what is to be looked at, a row a finding. */
const TakeFindings = ({ findings }: { findings: readonly FindingShown[] }): ReactNode => (
  <TakeButton label="Review of alerts" columns={TAKEN} rows={() => findings} />
);

/** In the place of what is done with many, where there is one finding alone. */
const OneFinding = ({ findings }: { findings: readonly FindingShown[] }): ReactNode => (
  <div className="review-many row">
    <span className="muted">1 to look at</span>
    <TakeFindings findings={findings} />
  </div>
);

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
