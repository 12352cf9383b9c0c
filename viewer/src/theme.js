// Dark or light: as the system has it until somebody says otherwise, and then as they said.
const key = 'talus-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** A browser may keep nothing for a page, and then says so by throwing. */
function kept() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export class Theme {
  #onChange;
  #said = kept();

  constructor(onChange) {
    this.#onChange = onChange;
    dark.addEventListener('change', () => this.#apply());
    this.#apply();
  }

  toggle() {
    this.#said = this.#name === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(key, this.#said);
    } catch {
      // It holds until the page is left.
    }
    this.#apply();
  }

  get #name() {
    return this.#said ?? (dark.matches ? 'dark' : 'light');
  }

  #apply() {
    document.documentElement.dataset.theme = this.#name;
    const style = getComputedStyle(document.documentElement);
    this.#onChange(Object.fromEntries(['ground', 'ink', 'wall'].map((name) => [name, style.getPropertyValue(`--${name}`)])));
  }
}
