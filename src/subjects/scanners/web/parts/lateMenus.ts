/* One chunk with the popups of the filter bar, which load when first opened. */
export { ListFilterMenu } from './ListFilterMenu.tsx';
export { MinValuePopup } from './MinValuePopup.tsx';
export { MoreMenu } from './MoreMenu.tsx';
export { ScanMenu } from '../custom/ScanMenu.tsx';
