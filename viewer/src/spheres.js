// The grains: one square each that always faces the camera, on which a ray finds the sphere exactly. 200,000 of them are
// 200,000 instances of two triangles, with 7 bytes each that change from picture to picture.
import {
  Box3, BufferAttribute, DataTexture, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, LinearFilter, Mesh, RawShaderMaterial,
  Sphere, Vector3, Vector4,
} from 'three';
import { colourMap } from './colours.js';

const vertexShader = `
  precision highp float;
  uniform mat4 modelViewMatrix, projectionMatrix;
  uniform vec3 low, extent;  // from the origin of the picture, which is the mesh's place
  uniform vec4 cut;          // from there too
  in vec2 position;
  in vec3 center;
  in float radius;
  in float colour;
  in float index;
  uniform float picked;
  out vec3 ray;
  flat out vec3 middle;
  flat out float size, tone, chosen;
  void main() {
    vec3 here = low + extent * center;
    middle = (modelViewMatrix * vec4(here, 1.0)).xyz;
    size = radius;
    tone = colour;
    chosen = abs(index - picked) < 0.5 ? 1.0 : 0.0;
    // A sphere's outline reaches a little beyond its radius when it is near.
    float distance = length(middle);
    vec3 toward = middle / distance;
    float reach = radius * distance / sqrt(max(distance * distance - radius * radius, 1e-12 * distance * distance));
    vec3 right = normalize(cross(toward, abs(toward.y) < 0.99 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
    ray = middle + reach * (position.x * right + position.y * cross(right, toward));
    bool hidden = dot(cut.xyz, here) + cut.w < 0.0;
    gl_Position = hidden ? vec4(2, 2, 2, 1) : projectionMatrix * vec4(ray, 1.0);
  }`;

const fragmentShader = `
  precision highp float;
  uniform mat4 projectionMatrix;
  uniform sampler2D map;
  uniform float dim;
  uniform vec3 up;
  in vec3 ray;
  flat in vec3 middle;
  flat in float size, tone, chosen;
  out vec4 result;
  void main() {
    vec3 d = normalize(ray);
    float along = dot(d, middle);
    float across2 = dot(middle, middle) - along * along;
    float depth2 = size * size - across2;
    // How much of the pixel the outline covers, for the samples of the canvas.
    float edge = fwidth(across2);
    float covered = clamp(0.5 + depth2 / max(edge, 1e-20), 0.0, 1.0);
    if (covered <= 0.0) discard;
    vec3 point = d * (along - sqrt(max(depth2, 0.0)));
    vec3 n = (point - middle) / size;
    vec4 clip = projectionMatrix * vec4(point, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
    vec3 base = pow(texture(map, vec2((tone * 255.0 + 0.5) / 256.0, 0.5)).rgb, vec3(2.2));
    base = mix(base, vec3(0.5 * dot(base, vec3(0.3, 0.6, 0.1)) + 0.02), dim);
    // Sky from above, a soft key from over the shoulder, a fill from the other side, and a dim rim that parts neighbours.
    float sky = 0.5 + 0.5 * dot(n, up);
    float key = max(dot(n, normalize(vec3(0.45, 0.65, 0.75))), 0.0);
    float fill = max(dot(n, normalize(vec3(-0.7, 0.1, 0.5))), 0.0);
    float facing = max(dot(n, -d), 0.0);
    vec3 h = normalize(normalize(vec3(0.45, 0.65, 0.75)) - d);
    float shine = pow(max(dot(n, h), 0.0), 48.0);
    vec3 shade = base * (mix(0.22, 0.55, sky) + 0.62 * key + 0.12 * fill) * mix(0.5, 1.0, smoothstep(0.0, 0.65, facing));
    shade += 0.10 * shine;
    float outline = chosen * (1.0 - smoothstep(0.45, 0.6, facing));
    shade = mix(shade, vec3(1.0), outline);
    shade = mix(shade, vec3(1.0), chosen * 0.25);
    result = vec4(pow(clamp(shade, 0.0, 1.0), vec3(1.0 / 2.2)), covered);
  }`;

export class Spheres {
  #stage;
  #geometry = new InstancedBufferGeometry();
  #texture = new DataTexture(colourMap('amount'), 256, 1);
  #material;
  #mesh;
  #low = new Vector3();
  #extent = new Vector3();
  id = new Uint32Array();
  radius = new Float32Array();
  position = new Float32Array();  // as sent: in the box of the picture
  count = 0;
  /** Of all grains, surfaces included. */
  box = new Box3();
  #largest = 0;  // m, of the radii
  #coming = null;  // who is there from the next picture on

  constructor(stage) {
    this.#stage = stage;
    this.#texture.magFilter = LinearFilter;
    this.#texture.needsUpdate = true;
    this.#geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.#geometry.instanceCount = 0;
    this.#geometry.boundingSphere = new Sphere(new Vector3(), Infinity);  // a corner is no place to measure from
    this.#material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, alphaToCoverage: true,
      uniforms: {
        low: { value: this.#low }, extent: { value: this.#extent }, map: { value: this.#texture }, up: { value: new Vector3(0, 1, 0) },
        cut: { value: new Vector4() }, picked: { value: -1 }, dim: { value: 0 },
      },
    });
    this.#mesh = new Mesh(this.#geometry, this.#material);
    this.#mesh.frustumCulled = false;
    this.#mesh.onBeforeRender = () => this.#orient();
    stage.scene.add(this.#mesh);
  }

  /** @param {Uint8Array} map 256 colours, RGBA */
  setColours(map) {
    this.#texture.image.data.set(map);
    this.#texture.needsUpdate = true;
  }

  /** Who is there, in the order of the pictures that follow. Until the next of them nobody knows where, so what is drawn stays. */
  setGrains({ arrays }) {
    this.#coming = arrays;
  }

  #begin({ id, radius }) {
    // What is drawn is limited by the buffers of the first drawing, so a crowd of another size begins anew.
    if (id.length !== this.id.length) this.#geometry.dispose();
    this.id = id;
    this.radius = radius;
    this.#largest = radius.reduce((most, r) => Math.max(most, r), 0);
    const index = Float32Array.from(id);  // exact up to 2^24; beyond, neighbours may light up together
    this.#geometry.setAttribute('radius', new InstancedBufferAttribute(radius, 1));
    this.#geometry.setAttribute('index', new InstancedBufferAttribute(index, 1));
  }

  setPicture({ origin, low, high, arrays: { position, colour } }) {
    if (this.#coming) this.#begin(this.#coming);
    this.#coming = null;
    const whole = position instanceof Uint16Array;
    this.count = Math.min(position.length / 3, this.id.length);
    this.position = position;
    this.#low.set(...(whole ? low : [0, 0, 0]));
    this.#extent.set(1, 1, 1);
    if (whole) this.#extent.set(...high).sub(this.#low);
    this.#mesh.position.set(...origin);
    this.#set('center', position, 3, whole);
    this.#set('colour', colour ?? new Uint8Array(this.count), 1, true);
    this.#geometry.instanceCount = this.count;
    this.box.makeEmpty();
    if (this.count > 0) {
      this.box.set(new Vector3(...low), new Vector3(...high)).translate(this.#mesh.position).expandByScalar(this.#largest);
    }
  }

  /** Writes into the buffer that is there, unless its form has changed. */
  #set(name, values, width, normalized) {
    const old = this.#geometry.getAttribute(name);
    if (old && old.array.length === values.length && old.array.constructor === values.constructor) {
      old.array.set(values);
      old.needsUpdate = true;
    } else {
      if (old && old.array.length !== values.length) this.#geometry.dispose();
      this.#geometry.setAttribute(name, new InstancedBufferAttribute(values.slice(), width, normalized));
    }
  }

  #orient() {
    const { camera, cut } = this.#stage;
    this.#material.uniforms.up.value.copy(camera.up).transformDirection(camera.matrixWorldInverse);
    const here = cut.constant + cut.normal.dot(this.#mesh.position);
    this.#material.uniforms.cut.value.set(cut.normal.x, cut.normal.y, cut.normal.z, here);
  }

  /** Steps back, so that what is drawn over the grains stands out. */
  set dimmed(dimmed) {
    this.#material.uniforms.dim.value = dimmed ? 0.85 : 0;
  }

  setPicked(id) {
    this.#material.uniforms.picked.value = id ?? -1;
  }

  centerOf(row, out = new Vector3()) {
    const scale = this.position instanceof Uint16Array ? 1 / 65535 : 1;
    return out.set(
      this.#low.x + this.#extent.x * this.position[3 * row] * scale,
      this.#low.y + this.#extent.y * this.position[3 * row + 1] * scale,
      this.#low.z + this.#extent.z * this.position[3 * row + 2] * scale,
    ).add(this.#mesh.position);
  }

  /** The number of the next grain after `id` of those that are shown, or of the one before it; the first if it is null. */
  neighbour(id, by) {
    const ids = this.id;
    if (ids.length === 0) return null;
    if (id === null) return by > 0 ? ids[0] : ids[ids.length - 1];
    let row = ids.indexOf(id);
    while (row >= 0 && row < ids.length && ids[row] === id) row += by;  // a grain may have many spheres
    return row >= 0 && row < ids.length ? ids[row] : id;
  }

  /** The number of the grain that a ray meets first, or null. */
  pick(ray) {
    const center = new Vector3();
    let nearest = Infinity;
    let found = null;
    for (let row = 0; row < this.count; ++row) {
      this.centerOf(row, center);
      if (this.#stage.cut.distanceToPoint(center) < 0) continue;
      const to = center.sub(ray.origin);
      const along = to.dot(ray.direction);
      const depth2 = this.radius[row] ** 2 - (to.lengthSq() - along * along);
      const at = along - Math.sqrt(Math.max(0, depth2));
      if (depth2 > 0 && along > 0 && at < nearest) {
        nearest = at;
        found = this.id[row];
      }
    }
    return found;
  }
}
