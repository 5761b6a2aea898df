import './AppearancePanel.css';
import {
  type Density,
  type Directions,
  prefer,
  preferences,
  type ThemeChoice,
} from '../../../../../web/shared/preferences.ts';
import { RadioGroup } from '../../../../../web/ui/RadioGroup.tsx';

const THEMES: readonly { id: ThemeChoice; label: string }[] = [
  { id: 'system', label: 'Follow the system' },
  { id: 'dark', label: 'Dark' },
  { id: 'light', label: 'Light' },
];
const DIRECTIONS: readonly { id: Directions; label: string }[] = [
  { id: 'green-red', label: 'Green and red' },
  { id: 'blue-orange', label: 'Blue and orange' },
  { id: 'monochrome', label: 'Monochrome' },
];
const DENSITIES: readonly { id: Density; label: string }[] = [
  { id: 'compact', label: 'Compact' },
  { id: 'comfortable', label: 'Comfortable' },
];

/** How this browser shows the product. */
export function AppearancePanel() {
  const { theme, directions, density } = preferences.value;
  return (
    <section className="panel" aria-labelledby="appearance-panel">
      <h2 id="appearance-panel">Appearance</h2>
      <p className="muted">Saved in this browser only.</p>
      <RadioGroup label="Theme" value={theme} options={THEMES} onChoose={(id) => prefer({ theme: id })} />
      <RadioGroup
        label="Price directions"
        value={directions}
        options={DIRECTIONS}
        onChoose={(id) => prefer({ directions: id })}
      />
      <p className="directions-sample" aria-label="Example of rising and falling prices">
        <span className="up">▲ +1.5%</span>
        <span className="down">▼ −0.8%</span>
        <span className="flat">0.0%</span>
      </p>
      <RadioGroup
        label="Table rows"
        value={density}
        options={DENSITIES}
        onChoose={(id) => prefer({ density: id })}
      />
    </section>
  );
}
