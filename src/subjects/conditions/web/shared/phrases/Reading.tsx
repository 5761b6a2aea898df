import { type ReactNode, useEffect, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import {
  catalogError,
  isCatalogLoading,
  loadCatalogs,
  platformCatalog,
} from '#web/shared/indicators/catalog.ts';
import type { LogicKind } from '#subjects/conditions/rules/condition.ts';
import type { DraftCondition } from '#subjects/conditions/rules/draft.ts';
import { readPhrase } from '#subjects/conditions/rules/phrases/readPhrase.ts';
import { Proposals } from './Proposals.tsx';

export type ReadingProps = {
  text: string;
  conditions: readonly DraftCondition[];
  kind: LogicKind;
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** @param first id of the first condition that came to the list */
  onUse(conditions: readonly DraftCondition[], first: number): void;
  /** With one sentence on what was read, for whoever hears it. */
  onRead(summary: string): void;
  onClose(): void;
};

function sectorsOf(stocks: ReadonlyMap<string, Stock> | undefined): string[] {
  const found = new Set<string>();
  for (const { sector } of stocks?.values() ?? []) if (sector) found.add(sector);
  return [...found];
}

/** Reads a phrase once the list of indicators is there, and shows what it was read as. */
export function Reading(props: ReadingProps): ReactNode {
  useEffect(() => void loadCatalogs(), []);
  const platform = platformCatalog.value;
  if (platform !== null) return <Read {...props} {...platform} />;
  if (isCatalogLoading.value || catalogError.value === null) return <p className="muted">Reading…</p>;
  return (
    <Banner action={<Button onClick={() => void loadCatalogs()}>Retry</Button>}>
      {`Nothing was read: the list of indicators is missing. ${catalogError.value}`}
    </Banner>
  );
}

type ReadProps = ReadingProps & { catalog: Catalog; unavailable: readonly string[] };

function Read({ text, kind, stocks, catalog, unavailable, ...rest }: ReadProps): ReactNode {
  // Prices go on; what was read stays as it was read.
  const [reading] = useState(() =>
    readPhrase(text, { catalog, unavailable: new Set(unavailable), sectors: sectorsOf(stocks), kind }),
  );
  return <Proposals {...rest} text={text} kind={kind} catalog={catalog} reading={reading} />;
}
