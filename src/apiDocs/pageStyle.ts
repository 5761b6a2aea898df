/** The look of the page: its whole style, named in its policy by hash. */
export const PAGE_STYLE = `
:root { color-scheme: dark light; --page: #0f1216; --panel: #171c22; --line: #2b333d; --text: #e4e9ef; --muted: #9aa7b5; --link: #7cc4ff; }
@media (prefers-color-scheme: light) {
  :root { --page: #f6f7f9; --panel: #fff; --line: #d5dbe2; --text: #1b232c; --muted: #52606e; --link: #0a5ea8; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 16px 64px; max-width: 1000px; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 22px; }
h2 { margin: 32px 0 4px; font-size: 17px; }
a { color: var(--link); }
p, ul { margin: 4px 0 12px; }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
details { margin: 0 0 6px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
summary { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 8px 12px; cursor: pointer; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.method { width: 56px; font-weight: 600; }
.path { overflow-wrap: anywhere; }
.who { margin-left: auto; color: var(--muted); }
.summary { flex-basis: 100%; color: var(--muted); }
.body { padding: 0 12px 12px; border-top: 1px solid var(--line); }
h3 { margin: 12px 0 4px; font-size: 13px; }
pre { margin: 0; padding: 8px; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; background: var(--page); white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0; }
dd { margin: 0; }
`;
