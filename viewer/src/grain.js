// The picked grain: found by a click, marked in the picture, its numbers fresh with every picture.
import { Raycaster, Vector2 } from 'three';
import { parse, round, vector } from './numbers.js';

const $ = (id) => document.getElementById(id);
const still = 5;  // pixels: a press that moves farther turns the view

const rows = [
  ['material', 'Material', '', (v) => v],
  ['radius', 'Radius', 'm', round],
  ['mass', 'Mass', 'kg', round],
  ['position', 'Position', 'm', vector],
  ['velocity', 'Velocity', 'm/s', vector],
  ['speed', 'Speed', 'm/s', round],
  ['spin', 'Spin', 'rad/s', vector],
  ['net_force', 'Net force', 'N', round],
  ['load', 'Contact forces', 'N', round],
  ['contacts', 'Coordination', '', String],
  ['pressure', 'Pressure', 'Pa', round],
];

export class Grain {
  #stage;
  #spheres;
  #connection;
  #id = null;

  constructor(stage, spheres, connection) {
    this.#stage = stage;
    this.#spheres = spheres;
    this.#connection = connection;
    let pressed = null;
    stage.canvas.addEventListener('pointerdown', (event) => (pressed = [event.clientX, event.clientY]));
    stage.canvas.addEventListener('pointerup', (event) => {
      if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < still) this.#pick(event);
      pressed = null;
    });
    $('grain-close').addEventListener('click', () => this.choose(null));
    $('grain-id').addEventListener('change', () => {
      const id = parse($('grain-id').value);
      const there = id !== null && this.#spheres.id.includes(id);
      $('grain-id').setAttribute('aria-invalid', String(!there));
      if (there) this.choose(id);
    });
    $('grain-id').addEventListener('keydown', (event) => event.key === 'Enter' && $('grain-id').blur());
  }

  /** To the next grain by number, or the one before. */
  next(by) {
    this.choose(this.#spheres.neighbour(this.#id, by));
  }

  #pick({ clientX, clientY }) {
    const { canvas, camera } = this.#stage;
    const box = canvas.getBoundingClientRect();
    const at = new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
    const caster = new Raycaster();
    caster.setFromCamera(at, camera);
    this.choose(this.#spheres.pick(caster.ray));
  }

  choose(id) {
    this.#id = id;
    this.#spheres.setPicked(id);
    this.#connection.look({ grain: id ?? -1 });
    $('grain-close').hidden = id === null;
    $('grain-id').value = id ?? '';
    $('grain-id').setAttribute('aria-invalid', 'false');
    $('grain-numbers').replaceChildren();
    if (id !== null && document.body.classList.contains('no-panel')) $('panel-toggle').click();
    this.#stage.draw();
  }

  setPicture({ grain }) {
    if (this.#id === null || grain?.id !== this.#id) return;
    const parts = [];
    for (const [key, label, unit, text] of rows) {
      if (grain[key] === undefined) continue;
      const name = document.createElement('dt');
      name.textContent = label;
      const value = document.createElement('dd');
      value.textContent = `${text(grain[key])} ${unit}`.trim();
      value.dataset.key = key;
      parts.push(name, value);
    }
    $('grain-numbers').replaceChildren(...parts);
  }
}
