import './SectionIndex.css';

type SectionIndexProps = { sections: readonly { id: string; title: string }[] };

function goTo(id: string): void {
  document.getElementById(`admin-${id}`)?.scrollIntoView({ block: 'start' });
  document.getElementById(`admin-${id}-title`)?.focus({ preventScroll: true });
}

/** The sections by name; a click goes there. The address can't say it: what follows # is the route. */
export const SectionIndex = ({ sections }: SectionIndexProps) => (
  <nav className="section-index" aria-label="Sections">
    <ol>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <button type="button" onClick={() => goTo(id)}>
            {title}
          </button>
        </li>
      ))}
    </ol>
  </nav>
);
