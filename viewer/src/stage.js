// The three-dimensional stage: renderer, camera, light, and drawing only when something has changed.
import { Box3, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Plane, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const filled = 0.92;  // of the free part, by what there is to see

export class Stage {
  #asked = false;
  #placed = false;
  #taken = { top: 0, right: 0, bottom: 0, left: 0 };  // pixels that something else covers
  #walls = new Box3();  // those that have an end, or are round
  planar = false;
  /** What there is to see: walls and grains together. */
  bounds = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  /** Shared by all that is cut; points below it are hidden. */
  cut = new Plane(new Vector3(0, 0, 1), 1e30);

  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: false, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.localClippingEnabled = true;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    const key = new DirectionalLight(0xffffff, 1.6);  // over the shoulder, as the grains have it
    key.position.set(0.45, 0.65, 0.75);
    this.camera.add(key, key.target);
    this.scene.add(this.camera, new HemisphereLight(0xffffff, 0x888888, 1.6));
    this.#makeControls();
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#resize();
  }

  /** They turn about the camera's `up` as it was when they were made. */
  #makeControls() {
    const target = this.controls?.target ?? new Vector3();
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.draw());
    this.controls.zoomToCursor = true;
    this.controls.target.copy(target);
  }

  /** Soon, once however often it is asked for. */
  draw() {
    if (!this.#asked) {
      this.#asked = true;
      requestAnimationFrame(() => this.drawNow());
    }
  }

  drawNow() {
    this.#asked = false;
    const size = this.bounds.getSize(new Vector3()).length();
    const distance = this.camera.position.distanceTo(this.bounds.getCenter(new Vector3()));
    this.camera.near = Math.max(distance - size, 0.005 * this.camera.position.distanceTo(this.controls.target));
    this.camera.far = Math.max(distance + size, 2 * this.camera.near);
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
  }

  setBackground(colour) {
    this.scene.background = new Color(colour);
    this.draw();
  }

  /** In the plane one looks down on the discs, y up. A run that comes back is seen as it was. */
  setDimensions(dimensions) {
    if (this.planar === (dimensions === 2)) return;
    this.planar = dimensions === 2;
    this.camera.up.set(0, this.planar ? 1 : 0, this.planar ? 0 : 1);
    this.#makeControls();
    this.#placed = false;
  }

  /** Another run: the camera finds its place anew. */
  forget() {
    this.#placed = false;
  }

  /** How far the walls reach that have an end or are round; null: there are none. */
  setWalls(low, high) {
    this.#walls.makeEmpty();
    if (low) this.#walls.set(new Vector3(...low), new Vector3(...high));
  }

  /** How far the grains reach, from picture to picture; the first time the camera is put in front of it all. */
  setGrains(box) {
    const all = this.#walls.clone().union(box);
    if (all.isEmpty()) return;
    this.bounds.copy(all);
    if (!this.#placed) {
      this.#placed = true;
      this.lookFrom(this.planar ? 'top' : 'corner');
    }
  }

  lookFrom(side) {
    const ways = { corner: [0.62, -1, 0.42], front: [0, -1, 0], side: [1, 0, 0], top: [0, -0.001, 1] };
    const way = this.planar ? [0, 0, 1] : ways[side];  // in the plane there is but one side
    const center = this.bounds.getCenter(new Vector3());
    const back = new Vector3(...way).normalize();
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(back, this.#distanceFor(back, center));
    this.controls.update();
    this.draw();
  }

  /** From where all corners of what there is are in the free part of the page, seen along `-back` towards the middle. */
  #distanceFor(back, center) {
    const right = new Vector3().crossVectors(this.camera.up, back).normalize();
    const over = new Vector3().crossVectors(back, right);
    const half = this.bounds.getSize(new Vector3()).multiplyScalar(0.5);
    const tall = filled * Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    let distance = half.length();  // never within
    for (let corner = 0; corner < 8; ++corner) {
      const at = half.clone().multiply(new Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
      const needed = Math.max(Math.abs(at.dot(over)) / tall, Math.abs(at.dot(right)) / wide);
      distance = Math.max(distance, at.dot(back) + needed);
    }
    return distance;
  }

  /** Turns by angles in radians, as the arrow keys do. */
  turn(around, over) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const right = new Vector3().crossVectors(this.camera.up, offset).normalize();
    offset.applyAxisAngle(this.camera.up, around);
    const tilted = offset.clone().applyAxisAngle(right, over);
    const fromPole = tilted.angleTo(this.camera.up);
    this.camera.position.copy(this.controls.target).add(fromPole > 0.05 && fromPole < 3.09 ? tilted : offset);
    this.controls.update();
    this.draw();
  }

  zoom(factor) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.draw();
  }

  /** Keeps the middle of the view in the middle of what is left free. */
  leaveFree(taken) {
    this.#taken = taken;
    this.#resize();
  }

  /** The canvas as it is now, without what lies over it. */
  pixels() {
    this.drawNow();  // it keeps its picture only until it is shown
    const copy = document.createElement('canvas');
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    const g = copy.getContext('2d', { willReadFrequently: true });
    g.drawImage(this.canvas, 0, 0);
    return g.getImageData(0, 0, copy.width, copy.height);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setSize(clientWidth, clientHeight, false);
    const { top, right, bottom, left } = this.#taken;
    const width = Math.max(1, clientWidth - right - left);
    const height = Math.max(1, clientHeight - top - bottom);
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, -left, -top, clientWidth, clientHeight);
    this.draw();
  }
}
