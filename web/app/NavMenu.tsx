import type { ReactNode } from 'react';
import { navigate } from '../router/navigate.ts';
import { wayTo } from '../router/router.ts';
import { navLabel, type NavRoute } from '../router/routes.ts';
import { MenuItem, MenuSheet, type MenuSheetProps } from '../ui/MenuSheet.tsx';

type NavMenuProps = Pick<MenuSheetProps, 'anchor' | 'onClose'> & {
  items: readonly NavRoute[];
  badgeOf(item: NavRoute): ReactNode;
};

/** Import it lazily, because it loads Base UI. */
export const NavMenu = ({ items, badgeOf, ...menu }: NavMenuProps): ReactNode => (
  <MenuSheet label="More screens" {...menu}>
    {items.map((item) => (
      <MenuItem key={item.path} onChoose={() => navigate(wayTo(item))}>
        {navLabel(item)} {badgeOf(item)}
      </MenuItem>
    ))}
  </MenuSheet>
);
