// The time series as it grows, and the two charts of it: energies, and one quantity of choice.
import { Chart } from './chart.js';

const $ = (id) => document.getElementById(id);
const redrawEvery = 200;  // ms: charts need not follow every row

export class Series {
  #columns = [];
  #values = [];  // by column
  #energy = new Chart($('chart-energy'));
  #measure = new Chart($('chart-measure'));
  #timer = null;

  constructor() {
    $('measure').addEventListener('change', () => this.draw());
  }

  get rows() {
    return this.#values[0]?.length ?? 0;
  }

  add({ anew, columns, rows, arrays: { values } }) {
    if (anew) {
      this.#columns = columns;
      this.#values = columns.map(() => []);
      this.#offer();
    }
    const width = this.#columns.length;
    for (let row = 0; row < rows; ++row) {
      for (let c = 0; c < width; ++c) this.#values[c].push(values[row * width + c]);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.draw();
    }, redrawEvery);
  }

  setMark(time) {
    this.#energy.setMark(time);
    this.#measure.setMark(time);
  }

  #offer() {
    const select = $('measure');
    const before = select.value;
    const names = this.#columns.filter((name) => !['time', 'step', 'stage'].includes(name));
    select.replaceChildren(...names.map((name) => new Option(name.replaceAll('_', ' '), name)));
    const wanted = names.includes(before) ? before : (names.find((n) => /^(height|coordination|packing)/.test(n)) ?? 'contacts');
    select.value = wanted;
  }

  #column(name) {
    return this.#values[this.#columns.indexOf(name)] ?? [];
  }

  #sum(test) {
    const wanted = this.#values.filter((_, i) => test(this.#columns[i]));
    return this.#column('time').map((_, row) => wanted.reduce((sum, values) => sum + values[row], 0));
  }

  draw() {
    const time = this.#column('time');
    this.#energy.setData(time, [
      { label: 'moving', values: this.#column('energy.translational') },
      { label: 'turning', values: this.#column('energy.rotational') },
      { label: 'stored', values: this.#sum((name) => name.startsWith('energy.stored')) },
      { label: 'lost', values: this.#sum((name) => name.startsWith('energy.lost')) },
    ]);
    const name = $('measure').value;
    this.#measure.setData(time, [{ label: name, values: this.#column(name) }]);
  }
}
