import { type ReadonlySignal, signal } from '@preact/signals-react';
import { readBoolean, readText } from '../../src/lib/read.ts';
import { api, readAnswer, unwrap } from '../api/client.ts';

export type AppInfo = {
  test: boolean;
  donateUrl: string | null;
  version: string;
  commit: string;
  /** Whether there is a model that writes summaries. */
  hasModel: boolean;
};

const state = signal<AppInfo | null>(null);

/** What this installation tells everybody; null until it is known. */
export const appInfo: ReadonlySignal<AppInfo | null> = state;

function readAppInfo(body: unknown): AppInfo {
  const { test, donateUrl, version, commit, hasModel } = readAnswer(body);
  return {
    test: readBoolean(test) ?? false,
    donateUrl: readText(donateUrl),
    version: readText(version) ?? '',
    commit: readText(commit) ?? '',
    hasModel: readBoolean(hasModel) ?? false,
  };
}

/** Asks the server once. Without an answer the page works on: the donate link, the seed button and Summarise stay hidden. */
export async function loadAppInfo(): Promise<void> {
  try {
    state.value = await unwrap(api.app.get(), readAppInfo);
  } catch (problem) {
    console.warn('What this installation offers could not be read.', problem);
  }
}
