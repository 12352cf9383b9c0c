// Walls as thin see-through surfaces with their outlines, each in its own frame so that moving ones only get a new pose.
import {
  BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
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
  #skin;
  #edge;

  constructor(stage) {
    const clippingPlanes = [stage.cut];
    this.#skin = new MeshBasicMaterial({ transparent: true, opacity: 0.1, side: DoubleSide, depthWrite: false, clippingPlanes });
    this.#edge = new LineBasicMaterial({ transparent: true, opacity: 0.4, clippingPlanes });
    stage.scene.add(this.#group);
  }

  setInk(colour) {
    this.#skin.color.set(colour);
    this.#edge.color.set(colour);
  }

  set visible(visible) {
    this.#group.visible = visible;
  }

  setWalls({ walls, arrays: { triangles, lines } }) {
    for (const child of this.#group.children) {
      child.children.forEach((part) => part.geometry.dispose());
    }
    this.#group.clear();
    this.#byNumber.clear();
    let triangle = 0;
    let line = 0;
    for (const wall of walls) {
      const whole = new Group();
      whole.matrixAutoUpdate = false;
      if (wall.triangles > 0) {
        const surface = geometry(triangles.subarray(3 * triangle, 3 * (triangle + wall.triangles)));
        whole.add(new Mesh(surface, this.#skin), new LineSegments(new EdgesGeometry(surface, sharp), this.#edge));
      }
      if (wall.lines > 0) {
        whole.add(new LineSegments(geometry(lines.subarray(3 * line, 3 * (line + wall.lines))), this.#edge));
      }
      triangle += wall.triangles;
      line += wall.lines;
      pose(whole, wall.position, wall.rotation);
      this.#byNumber.set(wall.wall, whole);
      this.#group.add(whole);
    }
  }

  setPoses(poses) {
    for (const { wall, position, rotation } of poses) {
      const object = this.#byNumber.get(wall);
      if (object) pose(object, position, rotation);
    }
  }
}

function geometry(points) {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(points.slice(), 3));
}
