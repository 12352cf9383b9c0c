// Time: pause, go on, single steps and pace of a run that goes on; a ruler over the frames that are stored.
import { round } from './numbers.js';

const $ = (id) => document.getElementById(id);
const play = '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="fill" d="M8 5v14l11-7z"/></svg>';
const pause = '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="fill" d="M7 5h4v14H7zM13 5h4v14h-4z"/></svg>';
const paces = [[0, 'full'], [1, 'real time'], [0.3, '0.3 ×'], [0.1, '0.1 ×'], [0.03, '0.03 ×'], [0.01, '0.01 ×'], [0.001, '0.001 ×']];
const rates = [[60, '60 / s'], [30, '30 / s'], [15, '15 / s'], [5, '5 / s'], [1, '1 / s']];
const longestWay = 10000;  // ms, of a wish to the run and its word back

export class Transport {
  #connection;
  #live = false;
  #state = { paused: true, frames: 0, status: '' };
  #frame = -1;     // wanted; -1: the latest
  #playing = null;  // timer of a stored run
  #arrived = true;
  #dragging = false;  // somebody holds the ruler
  #wish = null;  // the pace that was set here, and until when others that the run tells of are older: { pace, until }

  constructor(connection) {
    this.#connection = connection;
    $('play').addEventListener('click', () => this.toggle());
    $('step').addEventListener('click', () => this.step());
    $('live').addEventListener('click', () => this.goLive());
    $('time').addEventListener('input', () => {
      this.#dragging = true;
      this.goTo(Number($('time').value));
    });
    $('time').addEventListener('change', () => (this.#dragging = false));
    $('speed').addEventListener('change', () => this.#setPace());
  }

  /** A run that is under way is shown as it is now; a stored one stays at the frame that was looked at. */
  setGreeting({ live }) {
    const before = $('speed').value;
    this.#wish = null;
    if (live !== this.#live || $('speed').options.length === 0) {
      $('speed').replaceChildren(...(live ? paces : rates).map(([value, text]) => new Option(text, value)));
      const kept = [...$('speed').options].some(({ value }) => value === before);
      $('speed').value = kept ? before : live ? '0' : '30';
    }
    this.#live = live;
    if (live && this.#frame >= 0) this.#want(-1);
    this.#show();
  }

  setState(state) {
    // Somebody else has let the run go on: stored frames have to wait.
    const goesOn = this.#live && this.#state.paused && !state.paused && this.#frame >= 0;
    this.#state = state;
    $('time').max = Math.max(0, state.frames - 1);
    if (this.#wish && (performance.now() > this.#wish.until || Math.abs(this.#wish.pace - state.speed) < 1e-9)) this.#wish = null;
    if (this.#live && !this.#wish && document.activeElement !== $('speed')) {
      const known = paces.find(([value]) => Math.abs(value - state.speed) < 1e-9);
      if (known) $('speed').value = String(known[0]);
    }
    if (goesOn) this.#want(-1);
    this.#show();
  }

  setPicture({ frame, time }) {
    this.#arrived = frame === this.#frame;
    if (!this.#dragging) $('time').value = frame >= 0 ? frame : $('time').max;
    $('time-text').textContent = `${round(time, 5)} s${frame >= 0 ? `  ·  frame ${frame + 1} of ${this.#state.frames}` : ''}`;
    document.body.dataset.frame = frame;
  }

  get paused() {
    return this.#live ? this.#state.paused : this.#playing === null;
  }

  toggle() {
    if (!this.#live) {
      if (this.#playing === null) this.#play();
      else this.#stop();
    } else if (this.#state.paused) {
      this.goLive();
    } else {
      this.#connection.send({ type: 'pause' });
    }
  }

  step(count = 1) {
    if (!this.#live) {
      this.#stop();
      this.goTo(this.#shownFrame() + count);
      return;
    }
    this.#want(-1);
    if (count > 0) this.#connection.send({ type: 'step', count });
    else this.goTo(this.#shownFrame() + count);
  }

  /** To a stored frame. A run that goes on waits meanwhile. */
  goTo(frame) {
    if (this.#live && !this.#state.paused) this.#connection.send({ type: 'pause' });
    this.#want(Math.max(0, Math.min(this.#state.frames - 1, frame)));
  }

  goLive() {
    this.#want(-1);
    this.#connection.send({ type: 'resume' });
  }

  #shownFrame() {
    return this.#frame >= 0 ? this.#frame : this.#state.frames - 1;
  }

  #want(frame) {
    this.#frame = frame;
    this.#connection.look({ frame });
    this.#show();
  }

  /** To the next speed on the list, up or down. */
  changePace(by) {
    const { options, selectedIndex } = $('speed');
    $('speed').selectedIndex = Math.max(0, Math.min(options.length - 1, selectedIndex + by));
    this.#setPace();
  }

  #setPace() {
    const pace = Number($('speed').value);
    if (this.#live) {
      this.#wish = { pace, until: performance.now() + longestWay };
      this.#connection.send({ type: 'speed', factor: pace });
    } else if (this.#playing !== null) {
      this.#play();
    }
    $('speed').blur();
  }

  /** The next frame when its time has come and the last has arrived. */
  #play() {
    clearInterval(this.#playing);
    if (this.#shownFrame() >= this.#state.frames - 1) this.goTo(0);
    this.#playing = setInterval(() => {
      if (!this.#arrived) return;
      if (this.#shownFrame() >= this.#state.frames - 1) return this.#stop();
      this.#arrived = false;
      this.goTo(this.#shownFrame() + 1);
    }, 1000 / Number($('speed').value));
    this.#show();
  }

  #stop() {
    clearInterval(this.#playing);
    this.#playing = null;
    this.#show();
  }

  #show() {
    const over = this.#live && ['finished', 'interrupted', 'failed'].includes(this.#state.status);
    $('play').innerHTML = this.paused ? play : pause;
    $('play').setAttribute('aria-label', this.paused ? 'Go on' : 'Pause');
    $('play').disabled = over;
    $('live').hidden = !this.#live || this.#frame < 0;
    $('live').textContent = over ? 'End' : 'Live';
    document.body.dataset.paused = this.paused;
    document.body.dataset.frames = this.#state.frames;
  }
}
