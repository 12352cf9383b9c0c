// What grains are coloured by: the choice, the bar with its ends, which follow the grains or are held.
import { tone } from './chains.js';
import { colourMap } from './colours.js';
import { parse, round } from './numbers.js';

const $ = (id) => document.getElementById(id);

export class Legend {
  #connection;
  #fields = [];
  #held = false;  // the ends of the colours are the user's
  #shown = [0, 1];
  #materials = [];
  onColours = () => {};

  constructor(connection) {
    this.#connection = connection;
    $('field').addEventListener('change', () => this.choose($('field').value));
    for (const end of ['range-low', 'range-high']) {
      $(end).addEventListener('change', () => this.#hold());
      $(end).addEventListener('keydown', (event) => event.key === 'Enter' && $(end).blur());
    }
    $('range-auto').addEventListener('click', () => this.follow());
  }

  get field() {
    return this.#fields.find(({ name }) => name === $('field').value);
  }

  /** What there is to colour by, and the materials' names and colours. What was chosen before stays, its range too. */
  setGreeting({ fields, materials }) {
    const before = $('field').value || 'speed';
    this.#fields = fields;
    this.#materials = materials;
    this.#listMaterials();
    $('field').replaceChildren(...fields.map(({ name, label }) => new Option(label[0].toUpperCase() + label.slice(1), name)));
    if (fields.some(({ name }) => name === before) && this.#connection.looking.field === before) {
      $('field').value = before;
      this.#paint();
    } else {
      this.choose(fields.some(({ name }) => name === before) ? before : 'speed');
    }
  }

  choose(name) {
    $('field').value = name;
    this.#paint();
    this.#held = false;
    this.#connection.look({ field: name, range: null });
    $('range-auto').setAttribute('aria-pressed', 'true');
  }

  next() {
    const at = this.#fields.indexOf(this.field);
    this.choose(this.#fields[(at + 1) % this.#fields.length].name);
  }

  /** The ends as they are; while they follow the grains they do so calmly, or the picture would flicker. */
  setPicture({ field, range, spread }) {
    if (!range || field !== this.field?.name) return;
    if (document.activeElement !== $('range-low')) $('range-low').value = round(range[0], 3);
    if (document.activeElement !== $('range-high')) $('range-high').value = round(range[1], 3);
    this.#shown = range;
    if (this.#held) return;
    const wanted = this.#wanted(spread);
    const off = Math.abs(wanted[0] - range[0]) + Math.abs(wanted[1] - range[1]);
    if (!this.#connection.looking.range) {
      this.#connection.look({ range: wanted });
    } else if (off > 0.1 * (wanted[1] - wanted[0])) {
      this.#connection.look({ range: wanted.map((end, i) => range[i] + 0.25 * (end - range[i])) });
    }
  }

  /** Amounts start at zero where that is near, signs are even about it, kinds count from zero. */
  #wanted([low, high]) {
    if (this.field.kind === 'kinds') return [0, 255];
    if (this.field.kind === 'signed') {
      const reach = Math.max(Math.abs(low), Math.abs(high)) || 1;
      return [-reach, reach];
    }
    const start = low > 0 && low < 0.4 * high ? 0 : low;
    return high > start ? [start, high] : [start, start + (Math.abs(start) || 1)];
  }

  /** What force chains mean, `bright` as they have it; while they are shown grains are grey, so their colours step back. */
  setChains(bright) {
    const shown = bright !== null;
    $('legend').classList.toggle('chained', shown);
    $('legend-chains').hidden = !shown;
    if (!shown) return;
    $('chains-high').textContent = round(bright, 2);
    const tones = new Uint8ClampedArray(4 * 256);
    for (let i = 0; i < 256; ++i) tones.set(tone(i / 255), 4 * i);
    $('chains-bar').getContext('2d').putImageData(new ImageData(tones, 256, 1), 0, 0);
  }

  #hold() {
    const [low, high] = [parse($('range-low').value), parse($('range-high').value)];
    const usable = low !== null && high !== null && high > low;
    $('range-low').setAttribute('aria-invalid', String(!usable));
    $('range-high').setAttribute('aria-invalid', String(!usable));
    if (!usable) return;
    this.#held = true;
    $('range-auto').setAttribute('aria-pressed', 'false');
    this.#connection.look({ range: [low, high] });
  }

  follow() {
    this.#held = false;
    $('range-auto').setAttribute('aria-pressed', 'true');
    this.#connection.look({ range: null });
  }

  #paint() {
    const { label, unit, kind } = this.field;
    $('legend-name').textContent = label[0].toUpperCase() + label.slice(1);
    $('legend-unit').textContent = unit;
    const kinds = kind === 'kinds';
    $('legend-bar').hidden = kinds;
    $('legend-ends').hidden = kinds;
    $('legend-kinds').hidden = !kinds;
    const g = $('legend-bar').getContext('2d');
    g.putImageData(new ImageData(new Uint8ClampedArray(this.#map), 256, 1), 0, 0);
    this.onColours(this.#map);
  }

  get #map() {
    return colourMap(this.field.kind, this.#materials.map(({ colour }) => colour));
  }

  get #kinds() {
    const map = colourMap('kinds', this.#materials.map(({ colour }) => colour));
    return this.#materials.map(({ name }, i) => ({ name, colour: `rgb(${map.subarray(4 * i, 4 * i + 3).join()})` }));
  }

  #listMaterials() {
    $('legend-kinds').replaceChildren(...this.#kinds.map(({ name, colour }) => {
      const item = document.createElement('li');
      const dot = document.createElement('canvas');
      dot.width = dot.height = 1;
      const g = dot.getContext('2d');
      g.fillStyle = colour;
      g.fillRect(0, 0, 1, 1);
      item.append(dot, name);
      return item;
    }));
  }

  /** For a saved picture: name, unit and ends as text; names and colours of kinds. */
  get caption() {
    const { label = '', unit = '', kind } = this.field ?? {};
    return { name: label, unit, kind, ends: this.#shown.map((v) => round(v, 3)), kinds: this.#kinds };
  }
}
