import { type ReactNode, useState } from 'react';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { meta, retryLive, streamState } from '#web/live/market.ts';
import { STREAM_FAILED, useStreamFailure } from '#web/live/useStreamFailure.ts';
import { currentHash, navigate, pageOf } from '#web/router/navigate.ts';
import { MARKET_PATH } from '#web/router/routes.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { TabList, TabPanel } from '#ui/TabList.tsx';
import { Toggle } from '#ui/Field.tsx';
import { SECURITIES, type Securities } from '#market/rules/securities.ts';
import { DayNews } from './news/DayNews.tsx';
import { Overview } from './Overview.tsx';
import { hideStrip, isStripHidden } from './shared/stripChoice.ts';
import { type Glance, useGlance } from './useGlance.ts';
import './glance.css';
import { readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';

const KEY = 'bellbird.market.securities';

/** Which securities the page counts; undefined counts all. Kept in this browser. */
const keptSecurities = (): Securities | undefined => {
  const kept = readStored(KEY, readText);
  return SECURITIES.find(({ id }) => id !== undefined && id === kept)?.id;
};

const keepSecurities = (securities: Securities | undefined): void => writeStored(KEY, securities ?? null);

const MARKET_PAGES = ['overview', 'announcements'] as const;
type MarketTab = (typeof MARKET_PAGES)[number];

const TAB_LABELS: Readonly<Record<MarketTab, string>> = {
  overview: 'Overview',
  announcements: 'Announcements',
};

const addressOf = (tab: MarketTab): string => (tab === 'overview' ? MARKET_PATH : `${MARKET_PATH}/${tab}`);

function tabAt(hash: string): MarketTab {
  const [named] = pageOf(hash, MARKET_PATH);
  return MARKET_PAGES.find((tab) => tab === named) ?? 'overview';
}

/** The market at a glance, and the announcements of the day, each under a tab and an address of its own. */
export function MarketPage(): ReactNode {
  const [securities, setSecurities] = useState(keptSecurities);
  const tab = tabAt(currentHash.value);
  const glance = useGlance(tab === 'overview' ? 'map' : 'news', securities);
  const choose = (next: Securities | undefined) => {
    keepSecurities(next);
    setSecurities(next);
  };
  return (
    <div className="page market-page" data-tab={tab}>
      <header className="row gap-2-3">
        <h1>Market</h1>
        <FeedPill />
        <ZoneNote />
        {tab === 'overview' && <SecuritiesChoice chosen={securities} onChoose={choose} />}
      </header>
      <TabList
        id="market"
        label="Market"
        tabs={MARKET_PAGES}
        shown={tab}
        addressOf={addressOf}
        onShow={(next) => navigate(addressOf(next))}
      >
        {(one) => TAB_LABELS[one]}
      </TabList>
      <TabPanel list="market" shown={tab} className="stack gap-4">
        <Shown glance={glance} tab={tab} securities={securities} />
      </TabPanel>
    </div>
  );
}

type ShownProps = { glance: Glance; tab: MarketTab; securities: Securities | undefined };

function Shown({ glance, tab, securities }: ShownProps): ReactNode {
  const { hasFailed, retry } = useStreamFailure(meta.value === null, streamState.value, retryLive);
  if (hasFailed) return <Banner action={<Button onClick={retry}>Retry</Button>}>{STREAM_FAILED}</Banner>;
  if (glance.hasFailed.value) {
    return (
      <Banner action={<Button onClick={glance.retry}>Retry</Button>}>
        The market’s figures could not be loaded. Check your connection, then try again.
      </Banner>
    );
  }
  if (tab === 'announcements') {
    if (!glance.isThere.value) return <SkeletonRows rows={8} label="Loading the market…" />;
    return <DayNews glance={glance} />;
  }
  return (
    <>
      <Overview glance={glance} securities={securities} />
      <Toggle
        label="Show these figures on a line above the scanners"
        checked={!isStripHidden.value}
        onChange={(isOn) => hideStrip(!isOn)}
      />
    </>
  );
}

type ChoiceProps = { chosen: Securities | undefined; onChoose(securities: Securities | undefined): void };

function SecuritiesChoice({ chosen, onChoose }: ChoiceProps): ReactNode {
  return (
    <fieldset className="segments push">
      <legend className="visually-hidden">Shares or funds</legend>
      {SECURITIES.map(({ id, label }) => (
        <button
          key={label}
          type="button"
          className="tool"
          aria-pressed={chosen === id}
          onClick={() => onChoose(id)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
