// The cut plane: an axis, a place along it, a side that is kept.
const $ = (id) => document.getElementById(id);

export class Cut {
  #stage;
  #side = 1;

  constructor(stage) {
    this.#stage = stage;
    for (const id of ['cut', 'cut-axis', 'cut-at']) $(id).addEventListener('input', () => this.apply());
    $('cut-flip').addEventListener('click', () => this.flip());
  }

  toggle() {
    $('cut').checked = !$('cut').checked;
    this.apply();
  }

  flip() {
    this.#side = -this.#side;
    this.apply();
  }

  /** Along the axis, in thousandths of what there is. */
  move(by) {
    $('cut').checked = true;
    $('cut-at').value = Number($('cut-at').value) + by;
    this.apply();
  }

  apply() {
    const { cut, bounds } = this.#stage;
    $('cut-row').hidden = !$('cut').checked;
    cut.normal.set(0, 0, 1);
    cut.constant = 1e30;
    if ($('cut').checked) {
      const axis = $('cut-axis').value;
      const at = bounds.min[axis] + (bounds.max[axis] - bounds.min[axis]) * (Number($('cut-at').value) / 1000);
      cut.normal.set(0, 0, 0)[axis] = this.#side;
      cut.constant = -this.#side * at;
    }
    this.#stage.draw();
  }
}
