type NavBadgeProps = { count: number; one: string; many: string };

/** A number beside an item of the navigation; nothing for 0. */
export const NavBadge = ({ count, one, many }: NavBadgeProps) =>
  count > 0 && (
    <span className="nav-badge">
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {count === 1 ? one : many}</span>
    </span>
  );
