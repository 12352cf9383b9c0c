// A small line chart on a canvas, drawn by hand: axes with round numbers, lines in the order of a legend, a cursor.
import { kindColour } from './colours.js';
import { round } from './numbers.js';

const margin = { left: 44, right: 6, top: 16, bottom: 16 };

/** Round numbers that divide a range into about `count` parts. */
export function ticks(low, high, count) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const out = [];
  for (let t = Math.ceil(low / step) * step; t <= high + 1e-9 * step; t += step) out.push(Math.abs(t) < 1e-9 * step ? 0 : t);
  return out;
}

export class Chart {
  #canvas;
  #lines = [];
  #time = [];
  #mark = null;

  constructor(canvas) {
    this.#canvas = canvas;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** @param {Float32Array|number[]} time @param {{label: string, values: ArrayLike<number>}[]} lines */
  setData(time, lines) {
    this.#time = time;
    this.#lines = lines;
    this.draw();
  }

  /** The instant that is shown. */
  setMark(time) {
    if (time === this.#mark) return;
    this.#mark = time;
    this.draw();
  }

  draw() {
    const canvas = this.#canvas;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const style = getComputedStyle(document.documentElement);
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.font = '10px system-ui, sans-serif';
    const faint = style.getPropertyValue('--faint');
    const edge = style.getPropertyValue('--edge');
    let [low, high] = [Infinity, -Infinity];
    for (const { values } of this.#lines) {
      for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    g.fillStyle = faint;
    if (!(high >= low) || this.#time.length < 2) {
      g.fillText('nothing yet', margin.left, height / 2);
      return;
    }
    if (high === low) [low, high] = [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2];
    const [first, last] = [this.#time[0], this.#time[this.#time.length - 1]];
    const x = (t) => margin.left + ((t - first) / (last - first || 1)) * (width - margin.left - margin.right);
    const y = (v) => height - margin.bottom - ((v - low) / (high - low)) * (height - margin.top - margin.bottom);
    g.strokeStyle = edge;
    g.lineWidth = 1;
    g.textAlign = 'right';
    for (const t of ticks(low, high, 3)) {
      g.beginPath();
      g.moveTo(margin.left, y(t));
      g.lineTo(width - margin.right, y(t));
      g.stroke();
      g.fillText(round(t, 3), margin.left - 5, y(t) + 3);
    }
    g.textAlign = 'center';
    for (const t of ticks(first, last, 4)) g.fillText(`${round(t, 3)} s`, Math.min(x(t), width - 14), height - 3);
    this.#lines.forEach(({ values }, i) => this.#line(g, values, x, y, i));
    this.#legend(g);
    if (this.#mark !== null && this.#mark >= first && this.#mark <= last) {
      g.strokeStyle = faint;
      g.beginPath();
      g.moveTo(x(this.#mark), margin.top);
      g.lineTo(x(this.#mark), height - margin.bottom);
      g.stroke();
    }
  }

  #line(g, values, x, y, i) {
    g.strokeStyle = `rgb(${kindColour(i).join()})`;
    g.lineWidth = 1.5;
    g.lineJoin = 'round';
    g.beginPath();
    let pen = false;
    for (let k = 0; k < this.#time.length; ++k) {
      if (Number.isFinite(values[k])) {
        if (pen) g.lineTo(x(this.#time[k]), y(values[k]));
        else g.moveTo(x(this.#time[k]), y(values[k]));
      }
      pen = Number.isFinite(values[k]);
    }
    g.stroke();
  }

  #legend(g) {
    let at = margin.left;
    g.textAlign = 'left';
    if (this.#lines.length < 2) return;
    this.#lines.forEach(({ label }, i) => {
      g.fillStyle = `rgb(${kindColour(i).join()})`;
      g.beginPath();
      g.arc(at + 3, 7, 3, 0, 7);
      g.fill();
      g.fillText(label, at + 9, 10);
      at += 18 + g.measureText(label).width;
    });
  }
}
