/** The logo, a bell that is also a bird's profile; identical to web/public/icon.svg. */
export function BellbirdMark({ size = 24 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="3 3.8 28 28" aria-hidden focusable="false">
      <path
        className="mark-body"
        d="M4 27C8 24.5 8.5 20.5 8.8 15.5 9.2 8.9 12.3 4.6 17.2 4.6c3.7 0 6.4 2.3 7.1 5.9l-1.1 4.2c.3 5.2 1.2 9.6 4.8 12.3Z"
      />
      <path className="mark-bill" d="M23.6 9 30.8 12.5 22.8 14.9Z" />
      <circle className="mark-eye" cx="19.4" cy="10.4" r="1.8" />
      <path className="mark-bill" d="M12 28h8a4 3.4 0 0 1-8 0Z" />
    </svg>
  );
}
