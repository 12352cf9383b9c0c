// Changing what may change while a run goes on. What is sent comes back as the state of the run, or as an event that
// says why not.
import { parse, round } from './numbers.js';

const $ = (id) => document.getElementById(id);

/** The numbers in a form's inputs; null, and marked, if one of them is none. */
function numbers(form, names) {
  const values = names.map((name) => parse(form.elements[name].value));
  names.forEach((name, i) => form.elements[name].setAttribute('aria-invalid', String(values[i] === null)));
  return values.includes(null) ? null : values;
}

function fill(form, names, values) {
  if (form.contains(document.activeElement)) return;  // somebody is typing
  names.forEach((name, i) => (form.elements[name].value = round(values[i], 6)));
}

function offer(select, texts) {
  const before = select.value;
  if (texts.join('\n') === [...select.options].map((o) => o.text).join('\n')) return;
  select.replaceChildren(...texts.map((text, i) => new Option(text, i)));
  select.value = before || '0';
}

export class Changes {
  #now = null;

  constructor(connection) {
    const send = (what) => connection.send({ type: 'change', what });
    const on = (id, act) => $(id).addEventListener('submit', (event) => {
      event.preventDefault();
      act(event.target);
      event.target.querySelector('button').focus();
    });
    on('change-gravity', (form) => {
      const gravity = numbers(form, ['x', 'y', 'z']);
      if (gravity) send({ gravity });
    });
    on('change-wall', (form) => {
      const values = numbers(form, ['x', 'y', 'z', 'spin']);
      if (values) send({ wall: this.#wall.name, velocity: values.slice(0, 3), spin: values[3] });
    });
    on('change-friction', (form) => {
      const values = numbers(form, ['mu']);
      if (values) send({ between: this.#pair.between, friction: values[0] });
    });
    $('change-wall').elements.wall.addEventListener('change', (event) => (event.target.blur(), this.#show()));
    $('change-friction').elements.pair.addEventListener('change', (event) => (event.target.blur(), this.#show()));
  }

  get #wall() {
    return this.#now.walls[$('change-wall').elements.wall.value];
  }

  get #pair() {
    return this.#now.contacts[$('change-friction').elements.pair.value];
  }

  /** To the first thing that can be changed. */
  focus() {
    if ($('changes').hidden) return;
    if (document.body.classList.contains('no-panel')) $('panel-toggle').click();
    $('change-gravity').elements.x.focus();
  }

  setState({ changeable, status }) {
    this.#now = changeable;
    $('changes').hidden = !changeable || status !== 'running';
    if (!changeable) return;
    offer($('change-wall').elements.wall, changeable.walls.map(({ name }) => name));
    offer($('change-friction').elements.pair, changeable.contacts.map(({ between }) => between.join(' – ')));
    this.#show();
  }

  #show() {
    fill($('change-gravity'), ['x', 'y', 'z'], this.#now.gravity);
    $('change-wall').hidden = this.#now.walls.length === 0;
    if (this.#wall) fill($('change-wall'), ['x', 'y', 'z', 'spin'], [...this.#wall.velocity, this.#wall.spin]);
    $('change-friction').hidden = this.#now.contacts.length === 0;
    if (this.#pair) fill($('change-friction'), ['mu'], [this.#pair.friction]);
  }
}
