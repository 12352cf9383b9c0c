// Time: pause, go on, single steps and pace of a run that goes on; a ruler over the frames that are stored.
import { round } from './numbers.js';

const $ = (id) => document.getElementById(id);
const play = '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="fill" d="M8 5v14l11-7z"/></svg>';
const pause = '<svg viewBox="0 0 24 24" aria-hidden="true"><path class="fill" d="M7 5h4v14H7zM13 5h4v14h-4z"/></svg>';
const paces = [[0, 'full'], [1, 'real time'], [0.3, '0.3 ×'], [0.1, '0.1 ×'], [0.03, '0.03 ×'], [0.01, '0.01 ×'], [0.001, '0.001 ×']];
const rates = [[30, '30 / s'], [60, '60 / s'], [15, '15 / s'], [5, '5 / s'], [1, '1 / s']];

export class Transport {
  #connection;
  #live = false;
  #state = { paused: true, frames: 0, status: '' };
  #frame = -1;     // wanted; -1: the latest
  #playing = null;  // timer of a stored run
  #arrived = true;

  constructor(connection) {
    this.#connection = connection;
    $('play').addEventListener('click', () => this.toggle());
    $('step').addEventListener('click', () => this.step());
    $('live').addEventListener('click', () => this.goLive());
    $('time').addEventListener('input', () => this.goTo(Number($('time').value)));
    $('speed').addEventListener('change', () => this.#setPace());
  }

  setGreeting({ live }) {
    this.#live = live;
    $('speed').replaceChildren(...(live ? paces : rates).map(([value, text]) => new Option(text, value)));
    $('step').hidden = false;
    this.#show();
  }

  setState(state) {
    this.#state = state;
    $('time').max = Math.max(0, state.frames - 1);
    if (this.#live && document.activeElement !== $('speed')) {
      const known = paces.find(([value]) => Math.abs(value - state.speed) < 1e-9);
      if (known) $('speed').value = String(known[0]);
    }
    this.#show();
  }

  setPicture({ frame, time }) {
    this.#arrived = true;
    if (frame >= 0) $('time').value = frame;
    else $('time').value = $('time').max;
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

  #setPace() {
    if (this.#live) this.#connection.send({ type: 'speed', factor: Number($('speed').value) });
    else if (this.#playing !== null) this.#play();
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
