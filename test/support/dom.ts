/**
 * Preload of the component tests: `bun test --preload ./test/support/dom.ts test/web`. It gives the process a document and runs the signals
 * transform over web/. Never load it for server tests: happy-dom’s Request and Headers lack what a server needs.
 */
import { afterEach } from 'bun:test';
import { plugin } from 'bun';
import { Window } from 'happy-dom';
import CSSPropertyManager from 'happy-dom/lib/css/declaration/property-manager/CSSPropertyManager.js';
import signalsPlugin from '#scripts/signalsPlugin.ts';

await plugin(signalsPlugin);

// Where most users are: elsewhere market times show their zone.
process.env.TZ = 'Australia/Sydney';

const window = new Window({ url: 'http://127.0.0.1:3000/', width: 1440, height: 900 });
/** The runtime’s own are better, or tests provide them in another way. */
const KEEP = new Set(
  (
    'fetch Headers Request Response URL URLSearchParams Blob File FormData AbortController AbortSignal ' +
    'setTimeout clearTimeout setInterval clearInterval queueMicrotask performance crypto TextEncoder TextDecoder ' +
    'ReadableStream WritableStream TransformStream console Buffer process global globalThis constructor atob btoa ' +
    'WebSocket BroadcastChannel MessagePort'
  ).split(' '),
);
/** Taken from the document’s world although the runtime has them, because its events must be its own. */
const TAKE = new Set(
  (
    'Event CustomEvent EventTarget MessageEvent ErrorEvent CloseEvent navigator addEventListener removeEventListener ' +
    'dispatchEvent DOMException'
  ).split(' '),
);

const names = new Set<string>();
for (
  let level: object | null = window;
  level && level !== Object.prototype;
  level = Object.getPrototypeOf(level)
) {
  for (const name of Object.getOwnPropertyNames(level)) names.add(name);
}
const source = window as unknown as Record<string, unknown>;
const bound = new Set(
  'addEventListener removeEventListener dispatchEvent getComputedStyle matchMedia requestAnimationFrame cancelAnimationFrame getSelection scrollTo'.split(
    ' ',
  ),
);
for (const name of names) {
  if (KEEP.has(name) || (name in globalThis && !TAKE.has(name))) continue;
  const value = source[name];
  Object.defineProperty(globalThis, name, {
    configurable: true,
    writable: true,
    value: bound.has(name) && typeof value === 'function' ? value.bind(window) : value,
  });
}
Object.assign(globalThis, { window, self: window, IS_REACT_ACT_ENVIRONMENT: true });
Object.defineProperty(window, 'fetch', {
  configurable: true,
  get: () => globalThis.fetch,
  set: (value: typeof fetch) => {
    globalThis.fetch = value;
  },
});

// Copies with `structuredClone`, which takes a tenth of the time in tests that query roles.
CSSPropertyManager.prototype.clone = function clone(this: CSSPropertyManager) {
  const copy = new CSSPropertyManager();
  for (const [name, property] of Object.entries(this.properties)) copy.properties[name] = { ...property };
  Reflect.set(copy, 'definedPropertyNames', { ...Reflect.get(this, 'definedPropertyNames') });
  return copy;
};

// React reports every component it renders to a browser’s profiler if there is one, which takes time.
Reflect.deleteProperty(console, 'timeStamp');

// Imported only now, because both look for a document when they load.
const { cleanup, configure, getConfig, prettyDOM } = await import('@testing-library/react');
// Waiting ends as soon as the condition holds: a machine under load is slow, not wrong. A test has 60 s. The page is printed only when the time is
// over.
configure({
  asyncUtilTimeout: 45_000,
  getElementError: (message, container) => {
    const isTried = Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;
    const error = new Error(isTried ? (message ?? '') : `${message}\n\n${prettyDOM(container)}`);
    error.name = 'TestingLibraryElementError';
    return error;
  },
});
// After the plugin, which it needs.
const { forgetWaiting } = await import('#web/shared/onReconnect.ts');

afterEach(() => {
  cleanup();
  // Elements drawn outside the test’s own part of the page.
  document.body.replaceChildren();
  forgetWaiting();
  window.localStorage.clear();
  window.sessionStorage.clear();
});
