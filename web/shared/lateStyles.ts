import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';

let coming: Promise<void> | null = null;

function link(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.href = address;
    sheet.addEventListener('load', () => resolve());
    sheet.addEventListener('error', () => {
      sheet.remove();
      reject(new Error(`Failed to fetch the style sheet ${address}`));
    });
    document.head.append(sheet);
  });
}

/**
 * Links the sheet of styles for everything outside the first page, once. A page without it, as in component tests,
 * needs none.
 * @throws Error if it cannot be fetched; the next call retries
 */
async function fetchLateStyles(): Promise<void> {
  const { lateStyles } = document.documentElement.dataset;
  if (!lateStyles) return;
  coming ??= link(lateStyles);
  try {
    await coming;
  } catch (problem) {
    coming = null;
    throw problem;
  }
}

/** Waits for the late styles too. Every `import()` of a component needs it, except inside code loaded this way. */
export async function withStyles<Code>(code: Promise<Code>): Promise<Code> {
  const [loaded] = await Promise.all([code, fetchLateStyles()]);
  return loaded;
}

/** A component whose code and styles load when first shown; empty until then. */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Loaded = lazy(() => withStyles(load()).then((Code) => ({ default: Code })));
  return (props) => createElement(Suspense, { fallback: null }, createElement(Loaded, props));
}

/** Like `late`, with texts while the code loads and after loading failed. */
export function lateWithRetry<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>) {
  let code: ComponentType<Props> | null = null;
  /** @throws Error if the code does not load */
  async function load(): Promise<void> {
    code = await withStyles(fetchCode());
  }
  function useCode() {
    const [Code, setCode] = useState(() => code);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Code !== null || hasFailed) return;
      let isShown = true;
      load().then(
        () => isShown && setCode(() => code),
        () => isShown && setFailed(true),
      );
      return () => {
        isShown = false;
      };
    }, [Code, hasFailed]);
    return { Code, hasFailed, retry: () => setFailed(false) };
  }
  return { load, useCode };
}

export const LateConfirm = late(() => import('#ui/ConfirmDialog.tsx').then((code) => code.ConfirmDialog));
