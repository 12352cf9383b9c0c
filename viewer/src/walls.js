// Walls as surfaces with their outlines, in the colour and as see-through as the scene has them, each in its own frame so
// that one that moves only gets a new pose.
import {
  BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshLambertMaterial, Points, PointsMaterial,
} from 'three';

const sharp = 30;  // degrees between faces that show an edge

function pose(object, position, rotation) {
  const [a, b, c, d, e, f, g, h, i] = rotation;
  object.matrix = new Matrix4().set(a, b, c, position[0], d, e, f, position[1], g, h, i, position[2], 0, 0, 0, 1);
  object.matrixWorldNeedsUpdate = true;
}

export class Walls {
  #group = new Group();
  #byNumber = new Map();
  #skins = new Map();  // by colour and opacity
  #edge;
  #dot;
  #planes;
  #ink = '#fff';
  #wall = '#aaa';

  constructor(stage) {
    this.#planes = [stage.cut];
    this.#edge = new LineBasicMaterial({ transparent: true, opacity: 0.4, clippingPlanes: this.#planes });
    this.#dot = new PointsMaterial({ size: 6, sizeAttenuation: false, clippingPlanes: this.#planes });
    stage.scene.add(this.#group);
  }

  /** `ink` for outlines and the hint of a see-through wall, `wall` for others that have no colour of their own. */
  setInk(ink, wall) {
    this.#ink = ink;
    this.#wall = wall;
    this.#edge.color.set(ink);
    this.#dot.color.set(ink);
    for (const { material, own } of this.#skins.values()) if (!own) material.color.set(material.transparent ? ink : wall);
  }

  set visible(visible) {
    this.#group.visible = visible;
  }

  #skin({ colour, opacity }) {
    const key = `${colour} ${opacity}`;
    if (!this.#skins.has(key)) {
      // A see-through wall hides nothing behind it; without a colour it is only hinted at, or grains would look dull.
      const clear = opacity < 1;
      const material = new MeshLambertMaterial({
        color: colour || (clear ? this.#ink : this.#wall), transparent: clear, opacity: clear && !colour ? opacity / 2 : opacity, depthWrite: !clear,
        side: DoubleSide, clippingPlanes: this.#planes, flatShading: true,
      });
      this.#skins.set(key, { material, own: colour !== '' });
    }
    return this.#skins.get(key).material;
  }

  setWalls({ walls, arrays: { triangles, lines, points } }) {
    for (const child of this.#group.children) {
      child.children.forEach((part) => part.geometry.dispose());
    }
    this.#group.clear();
    this.#byNumber.clear();
    const parts = { triangles: 0, lines: 0, points: 0 };  // taken so far
    const take = (name, from, wall) => {
      const part = geometry(from.subarray(3 * parts[name], 3 * (parts[name] + wall[name])));
      parts[name] += wall[name];
      return part;
    };
    for (const wall of walls) {
      const whole = new Group();
      whole.matrixAutoUpdate = false;
      if (wall.triangles > 0) {
        const surface = take('triangles', triangles, wall);
        whole.add(new Mesh(surface, this.#skin(wall)), new LineSegments(new EdgesGeometry(surface, sharp), this.#edge));
      }
      if (wall.lines > 0) whole.add(new LineSegments(take('lines', lines, wall), this.#edge));
      if (wall.points > 0) whole.add(new Points(take('points', points, wall), this.#dot));
      this.#byNumber.set(wall.wall, { whole, told: wall });
      this.#group.add(whole);
    }
  }

  /** Those that are not named stand where they were when they were told of. */
  setPoses(poses) {
    const now = new Map(poses.map((entry) => [entry.wall, entry]));
    for (const [number, { whole, told }] of this.#byNumber) {
      const { position, rotation } = now.get(number) ?? told;
      pose(whole, position, rotation);
    }
  }

  /** Where a wall is drawn, as a matrix by columns. */
  poseOf(number) {
    return this.#byNumber.get(number)?.whole.matrix.elements;
  }
}

function geometry(points) {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(points.slice(), 3));
}
