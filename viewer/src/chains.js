// Force chains: a line for each contact, the stronger the brighter. Where they are shown the grains step back.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import { colourMap } from './colours.js';

const map = colourMap('amount');

/** Colour and opacity of a force that is the part `t` of a bright one. */
export function tone(t) {
  const at = 4 * Math.round(255 * Math.sqrt(t));
  return [...map.subarray(at, at + 3), 30 + 225 * t];
}

export class Chains {
  #lines;
  /** N, from where on lines are as bright as can be; null where none are shown. */
  bright = null;

  constructor(stage) {
    const material = new LineBasicMaterial({ vertexColors: true, clippingPlanes: [stage.cut], depthTest: false, transparent: true });
    this.#lines = new LineSegments(new BufferGeometry(), material);
    this.#lines.frustumCulled = false;
    this.#lines.renderOrder = 2;
    stage.scene.add(this.#lines);
  }

  set visible(visible) {
    this.#lines.visible = visible;
  }

  setPicture({ origin, arrays: { chains, chain_force: force } }) {
    this.bright = null;
    if (!chains) {
      this.#lines.geometry.setDrawRange(0, 0);
      return;
    }
    // Forces spread over decades; four times the mean is bright.
    let sum = 0;
    for (const f of force) sum += f;
    const bright = (4 * sum) / Math.max(1, force.length) || 1;
    this.bright = bright;
    const colours = new Uint8Array(8 * force.length);
    for (let i = 0; i < force.length; ++i) {
      const colour = tone(Math.min(1, force[i] / bright));
      colours.set(colour, 8 * i);
      colours.set(colour, 8 * i + 4);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(chains.slice(), 3));
    geometry.setAttribute('color', new BufferAttribute(colours, 4, true));
    this.#lines.geometry.dispose();
    this.#lines.geometry = geometry;
    this.#lines.position.set(...origin);
  }
}
