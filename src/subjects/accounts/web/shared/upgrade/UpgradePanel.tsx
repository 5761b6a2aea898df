import { useRef, useState } from 'react';
import { type PaidPlan, PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { patchSettings, type Settings, settings, settingsError } from '#web/shared/settings.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { messageOf, readRefusal, request } from '#web/api/client.ts';

/** @returns why it was not done, or null when it was; then the settings are patched */
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

/** Asks for a plan. @returns why it could not be asked for, or null when it was */
const requestUpgrade = (level: PaidPlan): Promise<string | null> =>
  changed(
    request('POST /api/settings/request-upgrade', { body: { level } }),
    { requestedSubscriptionType: level, upgradeDeclinedReason: null },
    MESSAGES.settings.requestUpgrade,
  );

/** Takes the request back. @returns why it stands, or null when it was withdrawn */
const withdrawUpgrade = (): Promise<string | null> =>
  changed(
    request('POST /api/settings/withdraw-upgrade'),
    { requestedSubscriptionType: null },
    'Failed to withdraw the request',
  );

/** The reason was read. @returns why it is not forgotten, or null when it is */
const dismissDeclined = (): Promise<string | null> =>
  changed(
    request('POST /api/settings/dismiss-declined-upgrade'),
    { upgradeDeclinedReason: null },
    'Failed to dismiss the answer',
  );

type PlanText = { name: string; words: string };

/** What the plans give on this server: without a model there is no AI, and without donations nobody gives more of them. */
function plansOf(hasModel: boolean, takesMore: boolean): readonly PlanText[] {
  return [
    { name: 'Basic', words: hasModel ? 'Summaries of announcements.' : 'For whoever supports this server.' },
    {
      name: 'Premium Supporter',
      words: hasModel ? 'Premium, AI and future features.' : 'Premium and future features.',
    },
    ...(takesMore ? [{ name: 'Generous Believer', words: 'Premium plus priority attention.' }] : []),
  ];
}

/** Whether it takes donations; also while that is not known. */
const takesDonations = (): boolean => appInfo.value === null || appInfo.value.donateUrl !== null;

const approval = (request: string): string =>
  `An administrator approves ${request}${takesDonations() ? ' after a matching donation' : ''}.`;

/** Does one thing at a time and says why it failed; where its button has gone by it, the focus goes to the next. */
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

/** The plan: what waits for an administrator, that there is no higher one, or what can be asked for. */
export function UpgradePanel() {
  const loaded = settings.value;
  const doing = useDoing();
  return (
    <section className="panel" aria-labelledby="upgrade-panel" ref={doing.panel}>
      <h2 id="upgrade-panel">Upgrade</h2>
      {loaded ? (
        <Content doing={doing} />
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
  // Until it is known what this server has, the plans stand as they are meant.
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

/** Where this installation takes donations; nothing where it takes none. */
function DonateLink() {
  const url = appInfo.value?.donateUrl;
  if (!url) return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      Donate
    </a>
  );
}
