import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { currentHash, navigate, pageOf, useScreenTitle } from '../router/navigate.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { NativeSelect } from '../ui/Field.tsx';
import { Page } from '../ui/Page.tsx';
import { NavBadge } from '../ui/Pill.tsx';
import { useWidthQuery } from '../ui/useWidthQuery.ts';
import { RetryBoundary } from './RetryBoundary.tsx';

type Section = {
  /** The part of the address after the page's: 'linked-accounts'. */
  id: string;
  title: string;
  /** Number of things that wait in it. */
  count?: number;
};

type SectionPageProps<One extends Section> = {
  /** The address of the page: '/settings'. */
  path: string;
  title: string;
  /** The page's name in the window title, after the section's; omit if it equals the title. */
  name?: string;
  sections: readonly One[];
  /** The section to show at the page's own address. */
  first: One['id'];
  /** True for forms, which are easier to read in a narrow column. */
  isNarrow?: boolean;
  /** Shown above every section. */
  banners?: ReactNode;
  children(section: One): ReactNode;
};

const textOf = ({ title, count = 0 }: Section): string => (count > 0 ? `${title} (${count})` : title);

/** A page with a list of sections at its left side, on phones in a select. It shows one section at a time. */
export function SectionPage<One extends Section>(props: SectionPageProps<One>): ReactNode {
  const { path, title, name = title, sections, first, isNarrow, banners, children } = props;
  const [id = first] = pageOf(currentHash.value, path);
  const shown = sections.find((one) => one.id === id);
  const body = useRef<HTMLDivElement>(null);
  const isTablet = useWidthQuery('tablet');
  useScreenTitle(shown ? `${shown.title} · ${name}` : null);
  useShown(body, id);
  const addressOf = (section: string): string => `${path}/${section}`;
  return (
    <Page>
      <div className="section-page">
        <div className="section-side gap-3">
          <h1>{title}</h1>
          {isTablet ? (
            <NativeSelect
              label="Section"
              hideLabel
              value={shown?.id ?? ''}
              options={[
                ...(shown ? [] : [{ id: '', label: 'Choose a section' }]),
                ...sections.map((one) => ({ id: one.id, label: textOf(one) })),
              ]}
              onChoose={(section) => navigate(addressOf(section))}
            />
          ) : (
            <nav aria-label="Sections">
              <ol>
                {sections.map((one) => (
                  <li key={one.id}>
                    <a
                      className="section-link"
                      href={`#${addressOf(one.id)}`}
                      aria-current={one === shown ? 'page' : undefined}
                    >
                      {one.title}
                      <NavBadge count={one.count ?? 0} one="waits" many="wait" />
                    </a>
                  </li>
                ))}
              </ol>
            </nav>
          )}
        </div>
        <div ref={body} className={`stack gap-4 ${isNarrow ? 'section-body' : 'min-w-0'}`}>
          {banners}
          {shown ? (
            <RetryBoundary key={id} sentence="This section could not be shown.">
              {children(shown)}
            </RetryBoundary>
          ) : (
            <EmptyState>Not found.</EmptyState>
          )}
        </div>
      </div>
    </Page>
  );
}

/** Shows a newly opened section from its top. Its heading gets the focus, unless the user is in the list. */
function useShown(body: RefObject<HTMLElement | null>, id: string): void {
  const before = useRef(id);
  useEffect(() => {
    if (before.current === id) return;
    before.current = id;
    const screen = body.current?.closest('main');
    if (screen) screen.scrollTop = 0;
    if (document.activeElement !== document.body) return;
    const heading = body.current?.querySelector('h2');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [id, body]);
}
