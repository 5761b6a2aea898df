import { useRef, useState } from 'react';
import { type PaidPlan, PLAN_NAMES } from '../../rules/upgrade.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { patchSettings, type Settings, settings, settingsError } from '#web/shared/settings.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Pill } from '#ui/Pill.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import {
  ASK_LEVEL,
  PLAN_LIMITS,
  SUMMARISE_LEVEL,
  type SubscriptionType,
} from '#platform/http/rules/accessLevel.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf, readRefusal, request } from '#web/api/client.ts';

/** Updates the settings on success. @returns why the request failed, or null */
async function changed(
  pending: Promise<unknown>,
  patch: Partial<Settings>,
  fallback: string,
): Promise<string | null> {
  try {
    const refusal = readRefusal(await pending, fallback);
    if (refusal !== null) return refusal.message;
    patchSettings(patch);
    return null;
  } catch (problem) {
    return messageOf(problem, fallback);
  }
}

const requestUpgrade = (level: PaidPlan): Promise<string | null> =>
  changed(
    request('POST /api/settings/request-upgrade', { body: { level } }),
    { requestedSubscriptionType: level, upgradeDeclinedReason: null },
    MESSAGES.settings.requestUpgrade,
  );

const withdrawUpgrade = (): Promise<string | null> =>
  changed(
    request('POST /api/settings/withdraw-upgrade'),
    { requestedSubscriptionType: null },
    'Failed to withdraw the request',
  );

const dismissDeclined = (): Promise<string | null> =>
  changed(
    request('POST /api/settings/dismiss-declined-upgrade'),
    { upgradeDeclinedReason: null },
    'Failed to dismiss the message',
  );

/** Names and texts of the plans. Without a model there are no AI features. */
function plansOf(hasModel: boolean, takesMore: boolean): readonly { name: string; words: string }[] {
  return [
    { name: 'Basic', words: hasModel ? 'Summaries of announcements.' : 'For supporters of this server.' },
    {
      name: 'Premium Supporter',
      words: hasModel ? 'Premium, AI and future features.' : 'Premium and future features.',
    },
    ...(takesMore ? [{ name: 'Generous Believer', words: 'Premium plus priority attention.' }] : []),
  ];
}

/** Whether the server takes donations; true while that is unknown. */
const takesDonations = (): boolean => appInfo.value === null || appInfo.value.donateUrl !== null;

const approval = (request: string): string =>
  `An administrator approves ${request}${takesDonations() ? ' after a matching donation' : ''}.`;

/** Runs one action at a time. If its button disappears, the next one gets the focus. */
function useDoing() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const panel = useRef<HTMLElement>(null);
  const attempt = async (work: () => Promise<string | null>) => {
    setBusy(true);
    setFailure(await work());
    setBusy(false);
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      panel.current?.querySelector<HTMLElement>('.upgrade-actions button')?.focus();
    }, 0);
  };
  return { panel, isBusy, failure, forget: () => setFailure(null), attempt };
}

type Doing = ReturnType<typeof useDoing>;

export function UpgradePanel() {
  const loaded = settings.value;
  const doing = useDoing();
  return (
    <section className="panel" aria-labelledby="upgrade-panel" ref={doing.panel}>
      <h2 id="upgrade-panel">Upgrade</h2>
      {loaded ? (
        <>
          <Content doing={doing} />
          <PlanTable current={loaded.subscriptionType} />
        </>
      ) : (
        !settingsError.value && <SkeletonRows rows={3} label="Loading your plan…" />
      )}
      {doing.failure !== null && <Banner onDismiss={doing.forget}>{doing.failure}</Banner>}
    </section>
  );
}

function Content({ doing }: { doing: Doing }) {
  const loaded = settings.value;
  if (!loaded) return null;
  const { subscriptionType, requestedSubscriptionType: pending, upgradeDeclinedReason } = loaded;
  if (pending) return <Pending plan={PLAN_NAMES[pending]} doing={doing} />;
  if (subscriptionType === 'premium') {
    return <p>You already have Premium. Thank you for your support.</p>;
  }
  return (
    <>
      {upgradeDeclinedReason && (
        <Banner variant="warn" onDismiss={() => void doing.attempt(dismissDeclined)}>
          Your request was declined: {upgradeDeclinedReason}
        </Banner>
      )}
      <Offer isFree={subscriptionType === 'free'} doing={doing} />
    </>
  );
}

function Pending({ plan, doing }: { plan: string; doing: Doing }) {
  return (
    <>
      <p role="status">Upgrade request pending: {plan}</p>
      <p className="muted">{approval('it')}</p>
      <div className="upgrade-actions row">
        <Button disabled={doing.isBusy} onClick={() => void doing.attempt(withdrawUpgrade)}>
          Withdraw
        </Button>
        <DonateLink />
      </div>
    </>
  );
}

function Offer({ isFree, doing }: { isFree: boolean; doing: Doing }) {
  const { isBusy, attempt } = doing;
  // Shows the full plans until the server's features are known.
  const plans = plansOf(appInfo.value?.hasModel ?? true, takesDonations());
  return (
    <>
      <dl className="facts">
        {plans.map(({ name, words }) => (
          <Plan key={name} name={name} words={words} />
        ))}
      </dl>
      <p className="muted">{approval('a request')}</p>
      <div className="upgrade-actions row">
        {isFree && (
          <Button disabled={isBusy} onClick={() => void attempt(() => requestUpgrade('basic'))}>
            Request Basic
          </Button>
        )}
        <Button
          variant="primary"
          disabled={isBusy}
          onClick={() => void attempt(() => requestUpgrade('premium'))}
        >
          Request Premium
        </Button>
        <DonateLink />
      </div>
    </>
  );
}

const Plan = ({ name, words }: { name: string; words: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{words}</dd>
  </>
);

const PLANS = [
  { id: 'free', level: 1 },
  { id: 'basic', level: 2 },
  { id: 'premium', level: 3 },
] as const;

const yesFrom = (least: number, level: number): string => (level >= least ? 'Yes' : 'No');

/** What each plan includes, from the limits that the server applies. */
function PlanTable({ current }: { current: SubscriptionType }) {
  const hasModel = appInfo.value?.hasModel ?? true;
  const rows = PLANS.map(({ id, level }) => {
    const { values, scanAlerts, savedOdds } = PLAN_LIMITS[level];
    const ofModel = [
      ['Summaries of announcements', yesFrom(SUMMARISE_LEVEL, level)],
      ['Questions to the model', yesFrom(ASK_LEVEL, level)],
    ] as const;
    const numbers = [
      ['Indicator values', values],
      ['Alerts on scans', scanAlerts],
      ['Saved odds', savedOdds],
    ] as const;
    return { id, cells: [...numbers, ...(hasModel ? ofModel : [])] };
  });
  return (
    <>
      <h3>What each plan includes</h3>
      <StackedTable label="What each plan includes">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            {rows[0]?.cells.map(([heading]) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              <th scope="row">
                {PLAN_NAMES[id]} {id === current && <Pill variant="accent">Your plan</Pill>}
              </th>
              {cells.map(([heading, value]) => (
                <td key={heading} data-heading={heading}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </StackedTable>
      <p className="muted">
        Indicator values are for columns, scans and alerts together. Everything else is the same on every
        plan.
      </p>
    </>
  );
}

/** A link to the donation page; empty if the server takes no donations. */
function DonateLink() {
  const url = appInfo.value?.donateUrl;
  if (!url) return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      Donate
    </a>
  );
}
