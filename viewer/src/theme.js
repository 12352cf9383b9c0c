// Dark or light: as the system has it until somebody says otherwise, and then as they said.
const key = 'talus-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

export class Theme {
  #onChange;

  constructor(onChange) {
    this.#onChange = onChange;
    dark.addEventListener('change', () => this.#apply());
    this.#apply();
  }

  toggle() {
    localStorage.setItem(key, this.#name === 'dark' ? 'light' : 'dark');
    this.#apply();
  }

  get #name() {
    return localStorage.getItem(key) ?? (dark.matches ? 'dark' : 'light');
  }

  #apply() {
    document.documentElement.dataset.theme = this.#name;
    const style = getComputedStyle(document.documentElement);
    this.#onChange({ ground: style.getPropertyValue('--ground'), ink: style.getPropertyValue('--ink') });
  }
}
