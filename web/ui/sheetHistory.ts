import { useEffectEvent, useLayoutEffect } from 'react';
import { readCount, readRecord } from '#lib/read.ts';
import { useWidthQuery } from './useWidthQuery.ts';

type Sheet = { close(): void };

/** Open sheets, the top one last. Each has a history entry on top of the screen's own. */
const sheets: Sheet[] = [];
/** Until the browser has gone back, the entries do not match. */
let isGoingBack = false;
const waiting: (() => void)[] = [];

const entries = (): number => readCount(readRecord(window.history.state).sheets) ?? 0;

function matchEntries(): void {
  if (isGoingBack) return;
  const surplus = entries() - sheets.length;
  if (surplus > 0) {
    isGoingBack = true;
    window.history.go(-surplus);
  }
  for (let count = entries() + 1; count <= sheets.length; count += 1) {
    window.history.pushState({ sheets: count }, '');
  }
}

/** Later, because a link that closes a sheet leaves its entry, and a menu may open a dialog. */
const matchSoon = (): void => void setTimeout(matchEntries);

function onMoved(): void {
  if (!isGoingBack) {
    for (const sheet of sheets.slice(entries()).reverse()) sheet.close();
  }
  isGoingBack = false;
  for (const run of waiting.splice(0)) run();
  matchSoon();
}

/** Runs immediately, or after the browser has left the entries of closed sheets. */
export function afterSheets(run: () => void): void {
  if (isGoingBack) waiting.push(run);
  else run();
}

/** Also leaves an entry of a sheet that a reload or a link has closed. Returns the stop function. */
export function startSheetHistory(): () => void {
  window.addEventListener('popstate', onMoved);
  matchEntries();
  return () => window.removeEventListener('popstate', onMoved);
}

/** On a phone or tablet, the browser's Back closes the sheet instead of leaving the screen. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const isOn = useWidthQuery('touch') && isOpen;
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (!isOn) return;
    const sheet = { close: () => close() };
    sheets.push(sheet);
    matchSoon();
    return () => {
      sheets.splice(sheets.indexOf(sheet), 1);
      matchSoon();
    };
  }, [isOn]);
}
